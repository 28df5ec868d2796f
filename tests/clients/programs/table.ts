/** What all programs of this folder have in common: the players, their seeds and the output. */

export const PLAYERS = { red: "anna", blue: "bob", green: "cleo" } as const;
export const LEVELS = ["card", "shortlist", "nudge"] as const;

export interface Summary {
  rounds: number;
  hints: { card: number; shortlist: number; nudge: number };
  strikeLevels: number;
  winners: string[];
  turn: string[];
  turnEvents: number;
}

export function newSummary(): Summary {
  const hints = { card: 0, shortlist: 0, nudge: 0 };
  return { rounds: 0, hints, strikeLevels: 0, winners: [], turn: [], turnEvents: 0 };
}

/** Return the item, which a correct response contains. */
export function present<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new Error("a part of a response is missing");
  return item;
}

declare const process: { argv: string[]; exitCode: number };

/** Print the summary of a game at the address of the service; an error is exit code 1. */
export function run(play: (url: string) => Promise<Summary>): void {
  play(present(process.argv[2])).then(
    (summary) => console.log(JSON.stringify(summary)),
    (error) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}
