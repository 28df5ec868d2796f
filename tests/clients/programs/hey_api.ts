/** A game of Snow Time and a turn of Slopecrashers with the client of @hey-api/openapi-ts. */

import { client } from "./generated/hey-api/client.gen";
import {
  slopecrashersLegalMoves,
  slopecrashersNew,
  slopecrashersResolve,
  slopecrashersSuggest,
  snowTimeGrow,
  snowTimeLegalMoves,
  snowTimeNew,
  snowTimeResolve,
  snowTimeSuggest,
  type SlopecrashersAction,
  type SnowTimeMove,
} from "./generated/hey-api";
import { LEVELS, PLAYERS, newSummary, present, run, type Summary } from "./table";

async function play(baseUrl: string): Promise<Summary> {
  client.setConfig({ baseUrl });
  const summary = newSummary();

  const seats = Object.entries(PLAYERS).map(([seat, player]) => ({ seat, player }));
  let { state } = present((await snowTimeNew({ body: { seats } })).data);
  for (let over = false; !over; summary.rounds += 1) {
    const seed = summary.rounds + 2 ** 40;
    state = present((await snowTimeGrow({ body: { state, seed } })).data).state;
    const moves: Record<string, SnowTimeMove> = {};
    for (const [index, [seat, player]] of Object.entries(PLAYERS).entries()) {
      const hint_level = present(LEVELS[(index + summary.rounds) % 3]);
      const body = { state, player, hint_level, effort: "quick", nonce: `${seed}` } as const;
      const hint = present((await snowTimeSuggest({ body })).data);
      if (hint.hint_level === "card") {
        summary.hints.card += hint.moves.length;
        moves[seat] = present(hint.pick[seat]);
      } else if (hint.hint_level === "shortlist") {
        summary.hints.shortlist += hint.shortlist.length;
        moves[seat] = present(hint.shortlist[0]?.[seat]);
      } else {
        summary.hints.nudge += hint.nudges.length;
        const legal = present((await snowTimeLegalMoves({ body: { state } })).data);
        moves[seat] = present(legal.moves[seat]?.[0]);
      }
    }
    for (let open = true; open; ) {
      const legal = present((await snowTimeLegalMoves({ body: { state, revealed: moves } })).data);
      for (const [seat, choices] of Object.entries(legal.moves)) {
        moves[seat] = present(choices?.[choices.length - 1]);
      }
      open = legal.decision !== "none";
    }
    const resolved = present((await snowTimeResolve({ body: { state, moves } })).data);
    for (const event of resolved.events) {
      if (event.type === "strike") summary.strikeLevels += event.level;
    }
    ({ state, winners: summary.winners, game_over: over } = resolved);
  }

  const table = { seats: [{ player: "anna" }, { player: "bob" }], seed: 7 };
  const race = present((await slopecrashersNew({ body: table })).data).state;
  const so_far: SlopecrashersAction[] = [];
  while (true) {
    const position = { state: race, so_far };
    const legal = present((await slopecrashersLegalMoves({ body: position })).data);
    if (legal.decision === "none") break;
    if (legal.decision === "draw") {
      so_far.push({ type: "draw", card: present(legal.draw[0]).card });
      continue;
    }
    const body = { ...position, player: legal.player };
    so_far.push(present((await slopecrashersSuggest({ body })).data).pick);
  }
  const turn = await slopecrashersResolve({ body: { state: race, moves: so_far } });
  summary.turn = so_far.map((action) => (action.type === "step" ? action.direction : action.type));
  summary.turnEvents = present(turn.data).events.length;
  return summary;
}

run(play);
