/** A game of Snow Time and a turn of Slopecrashers with typescript-fetch of openapi-generator. */

import {
  Configuration,
  SlopecrashersApi,
  SnowTimeApi,
  type SlopecrashersAction,
  type SnowTimeMove,
} from "./generated/typescript-fetch";
import { LEVELS, PLAYERS, newSummary, present, run, type Summary } from "./table";

async function play(basePath: string): Promise<Summary> {
  const snowTime = new SnowTimeApi(new Configuration({ basePath }));
  const slopecrashers = new SlopecrashersApi(new Configuration({ basePath }));
  const summary = newSummary();

  const seats = Object.entries(PLAYERS).map(([seat, player]) => ({ seat, player }));
  let { state } = await snowTime.snowTimeNew({ snowTimeNewRequest: { seats } });
  for (let over = false; !over; summary.rounds += 1) {
    const seed = summary.rounds + 2 ** 40;
    ({ state } = await snowTime.snowTimeGrow({ snowTimeGrowRequest: { state, seed } }));
    const moves: Record<string, SnowTimeMove> = {};
    for (const [index, [seat, player]] of Object.entries(PLAYERS).entries()) {
      const hintLevel = present(LEVELS[(index + summary.rounds) % 3]);
      const hint = await snowTime.snowTimeSuggest({
        snowTimeSuggestRequest: { state, player, hintLevel, effort: "quick", nonce: `${seed}` },
      });
      if (hint.hintLevel === "card") {
        summary.hints.card += hint.moves.length;
        moves[seat] = present(hint.pick[seat]);
      } else if (hint.hintLevel === "shortlist") {
        summary.hints.shortlist += hint.shortlist.length;
        moves[seat] = present(hint.shortlist[0]?.[seat]);
      } else {
        summary.hints.nudge += hint.nudges.length;
        const snowTimeLegalMovesRequest = { state };
        const legal = await snowTime.snowTimeLegalMoves({ snowTimeLegalMovesRequest });
        moves[seat] = present(legal.moves[seat]?.[0]);
      }
    }
    for (let open = true; open; ) {
      const snowTimeLegalMovesRequest = { state, revealed: moves };
      const legal = await snowTime.snowTimeLegalMoves({ snowTimeLegalMovesRequest });
      for (const [seat, choices] of Object.entries(legal.moves)) {
        moves[seat] = present(choices[choices.length - 1]);
      }
      open = legal.decision !== "none";
    }
    const resolved = await snowTime.snowTimeResolve({ snowTimeResolveRequest: { state, moves } });
    for (const event of resolved.events) {
      if (event.type === "strike") summary.strikeLevels += event.level;
    }
    ({ state, winners: summary.winners, gameOver: over } = resolved);
  }

  const table = { seats: [{ player: "anna" }, { player: "bob" }], seed: 7 };
  const race = await slopecrashers.slopecrashersNew({ slopecrashersNewRequest: table });
  const soFar: SlopecrashersAction[] = [];
  while (true) {
    const position = { state: race.state, soFar };
    const asked = { slopecrashersLegalMovesRequest: position };
    const legal = await slopecrashers.slopecrashersLegalMoves(asked);
    if (legal.decision === "none") break;
    if (legal.decision === "draw") {
      soFar.push({ type: "draw", card: present(legal.draw[0]).card });
      continue;
    }
    const { player } = legal;
    const body = { slopecrashersSuggestRequest: { ...position, player } };
    soFar.push((await slopecrashers.slopecrashersSuggest(body)).pick);
  }
  const turn = { slopecrashersResolveRequest: { state: race.state, moves: soFar } };
  summary.turn = soFar.map((action) => (action.type === "step" ? action.direction : action.type));
  summary.turnEvents = (await slopecrashers.slopecrashersResolve(turn)).events.length;
  return summary;
}

run(play);
