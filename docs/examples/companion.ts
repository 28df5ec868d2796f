/**
 * A companion app for Snow Time in a terminal: friends at one table pass a keyboard around.
 *
 *     npm install typescript @types/node
 *     npx openapi-typescript@7 http://localhost:8000/openapi.yaml --default-non-nullable=false -o winter-games.ts
 *     npx tsc --strict --target es2022 --module node16 companion.ts
 *     node companion.js http://localhost:8000 de
 *
 * Each player sees a hint with its reasons and chooses a card; Enter plays the recommendation. The
 * hints learn from the rounds of the game how the others play. `companion.py` is the same app in Python.
 */

import { randomInt, randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import type { components } from "./winter-games";
import { type Document, history, type Played, Problem, WinterGames } from "./winter_games";

type Schemas = components["schemas"];
type Move = Schemas["SnowTimeMove"];
type Added = Schemas["SnowTimeAddedMove"];
type Language = keyof typeof TEXTS;
type Names = Record<string, Schemas["Titles"]>;

const COLOURS = ["red", "blue", "green", "yellow", "white"];
const TEXTS = {
  en: ["Names, separated by commas", "Round", "Winner"],
  de: ["Namen, durch Kommas getrennt", "Runde", "Sieg"],
  "zh-Hans": ["玩家名字，用逗号分隔", "回合", "获胜者"],
  "zh-Hant": ["玩家名字，用逗號分隔", "回合", "獲勝者"],
};

/** One game: the current position, and the names of everything in all languages. */
class CompanionGame {
  private readonly played: Played[] = [];

  constructor(
    private readonly cards: Names,
    private readonly kinds: Names,
    private readonly names: Record<string, string>,
    private state: Schemas["SnowTimeState"],
  ) {}

  static async start(names: string[]): Promise<CompanionGame> {
    const { cards, kinds } = await games.ask<Schemas["SnowTimeAboutResponse"]>();
    const owners = names.length === 2 ? [...names, ...names] : names; // Two players, four seats.
    const seats = owners.slice(0, COLOURS.length).map((name, index) => ({
      seat: COLOURS[index] as string,
      player: `player-${names.indexOf(name) + 1}`,
      name,
    }));
    const byPlayer = Object.fromEntries(seats.map((seat) => [seat.player, seat.name]));
    const { state } = await games.ask<Schemas["SnowTimeNewResponse"]>("new", { seats });
    return new CompanionGame(cards, kinds, byPlayer, state);
  }

  /** Play a round and return the names of the winners, if the game is over. */
  async playRound(): Promise<string[]> {
    const number = this.played.length + 1;
    console.log(`\n${TEXTS[language][1]} ${number}`);
    const growth = { seed: seed === undefined ? randomInt(2 ** 47) : seed + number };
    const played = await games.playRound(this.state, (position, legal) => this.choices(position, legal), growth);
    this.played.push(played);
    const resolved = played.resolved as Schemas["SnowTimeResolveResponse"];
    this.state = resolved.state;
    for (const event of resolved.events) {
      for (const award of "awards" in event ? (event.awards ?? []) : []) {
        const kind = this.kinds[award.kind]?.[language];
        console.log(`  ${this.nameOf(award.seat)}: +${award.points} ${kind}`);
      }
    }
    for (const { seat, score } of this.state.seats) console.log(`  ${this.nameOf(seat)}: ${score}`);
    return resolved.winners.map((player) => this.names[player] ?? player);
  }

  /** Ask every player who decides now; return the moves by seat. */
  private async choices(position: Document, legal: Record<string, Move[]>) {
    const chosen: Record<string, Move> = {};
    const deciding = Object.keys(legal).map((seat) => this.seat(seat)?.player ?? seat);
    for (const player of new Set(deciding)) {
      const nonce = seed === undefined ? randomUUID() : `${seed}-${this.played.length + 1}`;
      const opponents = { history: history(this.played) };
      const question = { ...position, player, nonce, opponents, detail: "brief" };
      const hint = await games.ask<Schemas["SnowTimeSuggestResponse"]>("suggest", question);
      if (hint.hint_level !== "card") throw new Error("a hint without a card");
      const reasons = hint.moves[hint.pick_index]?.reasons ?? [];
      console.log(" ", [hint.advice, ...reasons].map(({ text }) => text).join(" "));
      for (const [seat, pick] of Object.entries(hint.pick)) {
        chosen[seat] = await this.choose(seat, legal[seat] ?? [], pick);
      }
    }
    return chosen;
  }

  /** Let a player choose a move by its number; anything else plays the recommendation. */
  private async choose(seat: string, moves: Move[], pick: Move): Promise<Move> {
    moves.forEach((move, index) => console.log(`  ${index + 1}: ${this.textOf(move)}`));
    const answer = await read(`${this.nameOf(seat)} [${this.textOf(pick)}]`);
    return (/^\d+$/.test(answer) && moves[Number(answer) - 1]) || pick;
  }

  private textOf(move: Move | Added): string {
    const cards = [move.card, ...(move.card === "healer" ? (move.recover ?? []) : [])];
    const text = cards.map((card) => this.cards[card]?.[language]).join(" ");
    return move.card === "watcher" && move.then ? `${text} + ${this.textOf(move.then)}` : text;
  }

  private nameOf(seat: string): string {
    const name = this.seat(seat)?.name ?? seat;
    return Object.keys(this.names).length === 2 ? `${name} (${seat})` : name;
  }

  private seat = (name: string) => this.state.seats.find(({ seat }) => seat === name);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Return a line of input; at its end, all remaining answers are empty. */
async function read(prompt: string): Promise<string> {
  process.stdout.write(`${prompt}: `);
  const line = await lines.next();
  console.log();
  return line.done ? "" : line.value.trim();
}

const [url = "http://localhost:8000", tag = "en", seedText] = process.argv.slice(2);
const language: Language = tag in TEXTS ? (tag as Language) : "en";
const games = new WinterGames(url, "snow-time", language);
const seed = seedText === undefined ? undefined : Number(seedText); // Only to repeat a game.

async function main(): Promise<void> {
  const names = (await read(TEXTS[language][0] as string)).split(",").map((name) => name.trim());
  const table = await CompanionGame.start(names);
  let winners: string[] = [];
  while (winners.length === 0) winners = await table.playRound();
  console.log(`\n${TEXTS[language][2]}: ${winners.join(", ")}`);
}

main().then(
  () => process.exit(0),
  (error: Error) => {
    const others = error instanceof Problem ? error.errors.slice(1) : [];
    console.error([error.message, ...others.map(({ path, detail }) => `${path}: ${detail}`)].join("\n"));
    process.exit(1);
  },
);
