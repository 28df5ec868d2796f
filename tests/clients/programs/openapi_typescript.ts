/** A game of Snow Time and a turn of Slopecrashers with openapi-typescript and openapi-fetch. */

import createClient from "openapi-fetch";
import { LEVELS, PLAYERS, newSummary, present, run, type Summary } from "./table";
import type { components, paths } from "./generated/winter-games";

type Move = components["schemas"]["SnowTimeMove"];
type Action = components["schemas"]["SlopecrashersAction"];

async function play(baseUrl: string): Promise<Summary> {
  const client = createClient<paths>({ baseUrl });
  const summary = newSummary();

  const seats = Object.entries(PLAYERS).map(([seat, player]) => ({ seat, player }));
  let { state } = present((await client.POST("/v1/games/snow-time/new", { body: { seats } })).data);
  for (let over = false; !over; summary.rounds += 1) {
    const seed = summary.rounds + 2 ** 40;
    const grow = await client.POST("/v1/games/snow-time/grow", { body: { state, seed } });
    state = present(grow.data).state;
    const moves: Record<string, Move> = {};
    for (const [index, [seat, player]] of Object.entries(PLAYERS).entries()) {
      const hint_level = present(LEVELS[(index + summary.rounds) % 3]);
      const body = { state, player, hint_level, effort: "quick", nonce: `${seed}` } as const;
      const suggested = await client.POST("/v1/games/snow-time/suggest", { body });
      const hint = present(suggested.data);
      if (hint.hint_level === "card") {
        summary.hints.card += hint.moves.length;
        moves[seat] = present(hint.pick[seat]);
      } else if (hint.hint_level === "shortlist") {
        summary.hints.shortlist += hint.shortlist.length;
        moves[seat] = present(hint.shortlist[0]?.[seat]);
      } else {
        summary.hints.nudge += hint.nudges.length;
        const legal = await client.POST("/v1/games/snow-time/legal-moves", { body: { state } });
        moves[seat] = present(present(legal.data).moves[seat]?.[0]);
      }
    }
    for (let open = true; open; ) {
      const body = { state, revealed: moves };
      const legal = present((await client.POST("/v1/games/snow-time/legal-moves", { body })).data);
      for (const [seat, choices] of Object.entries(legal.moves)) {
        moves[seat] = present(choices[choices.length - 1]);
      }
      open = legal.decision !== "none";
    }
    const resolve = await client.POST("/v1/games/snow-time/resolve", { body: { state, moves } });
    const resolved = present(resolve.data);
    for (const event of resolved.events) {
      if (event.type === "strike") summary.strikeLevels += event.level;
    }
    ({ state, winners: summary.winners, game_over: over } = resolved);
  }

  const table = { seats: [{ player: "anna" }, { player: "bob" }], seed: 7 };
  const race = present((await client.POST("/v1/games/slopecrashers/new", { body: table })).data);
  const so_far: Action[] = [];
  while (true) {
    const position = { state: race.state, so_far };
    const asked = await client.POST("/v1/games/slopecrashers/legal-moves", { body: position });
    const legal = present(asked.data);
    if (legal.decision === "none") break;
    if (legal.decision === "draw") {
      so_far.push({ type: "draw", card: present(legal.draw[0]).card });
      continue;
    }
    const body = { ...position, player: legal.player };
    so_far.push(present((await client.POST("/v1/games/slopecrashers/suggest", { body })).data).pick);
  }
  const turn = { state: race.state, moves: so_far };
  const resolved = await client.POST("/v1/games/slopecrashers/resolve", { body: turn });
  summary.turn = so_far.map((action) => (action.type === "step" ? action.direction : action.type));
  summary.turnEvents = present(resolved.data).events.length;
  return summary;
}

run(play);
