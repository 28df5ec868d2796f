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

type Schemas = components["schemas"];
type Move = Schemas["SnowTimeMove"];
type Language = keyof typeof TEXTS;
type Names = Record<string, Schemas["Titles"]>;

const COLOURS = ["red", "blue", "green", "yellow", "white"];
const TRIES = 5;
const HISTORY = 40; // Newest rounds sent; 60 are possible, but a request has at most 64 KiB.
const TEXTS = {
  en: ["Names, separated by commas", "Round", "Winner"],
  de: ["Namen, durch Kommas getrennt", "Runde", "Sieg"],
  "zh-Hans": ["玩家名字，用逗号分隔", "回合", "获胜者"],
  "zh-Hant": ["玩家名字，用逗號分隔", "回合", "獲勝者"],
};

/** Send a request; repeat it if the service is busy or the quota is used up. */
async function ask<Answer>(endpoint: string, body?: unknown): Promise<Answer> {
  for (let triesLeft = TRIES - 1; ; triesLeft -= 1) {
    const response = await fetch(`${url}/v1/games/snow-time${endpoint}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "Content-Type": "application/json", "Accept-Language": language },
      body: JSON.stringify(body),
    });
    if (response.ok) return (await response.json()) as Answer;
    if ([429, 503].includes(response.status) && triesLeft > 0) {
      // Every POST is safe to repeat.
      const seconds = Number(response.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      continue;
    }
    if (response.headers.get("Content-Type") !== "application/problem+json") {
      throw new Error(`${response.status} from ${response.url}`);
    }
    const problem = (await response.json()) as Schemas["Problem"];
    const errors = (problem.errors ?? []).map((error) => `  ${error.path}: ${error.detail}`);
    throw new Error([`${problem.status} ${problem.detail}`, ...errors].join("\n"));
  }
}

/** One game: the current position, and the names of everything in all languages. */
class CompanionGame {
  private rounds = 0;
  private readonly history: Schemas["SnowTimeObservedRound"][] = [];

  constructor(
    private readonly cards: Names,
    private readonly kinds: Names,
    private readonly names: Record<string, string>,
    private state: Schemas["SnowTimeState"],
  ) {}

  static async start(names: string[]): Promise<CompanionGame> {
    const { cards, kinds } = await ask<Schemas["SnowTimeAboutResponse"]>("");
    const owners = names.length === 2 ? [...names, ...names] : names; // Two players, four seats.
    const seats = owners.slice(0, COLOURS.length).map((name, index) => ({
      seat: COLOURS[index] as string,
      player: `player-${names.indexOf(name) + 1}`,
      name,
    }));
    const byPlayer = Object.fromEntries(seats.map((seat) => [seat.player, seat.name]));
    const { state } = await ask<Schemas["SnowTimeNewResponse"]>("/new", { seats });
    return new CompanionGame(cards, kinds, byPlayer, state);
  }

  /** Play a round and return the names of the winners, if the game is over. */
  async playRound(): Promise<string[]> {
    this.rounds += 1;
    console.log(`\n${TEXTS[language][1]} ${this.rounds}`);
    const dice = { state: this.state, seed: seed === undefined ? randomInt(2 ** 47) : seed + this.rounds };
    this.state = (await ask<Schemas["SnowTimeGrowResponse"]>("/grow", dice)).state;
    let moves: Record<string, Move> = {};
    while (true) {
      // First the cards; when all are revealed, the watchers, then the healers.
      const revealed = this.allSeats(moves) ? { revealed: moves } : {};
      const position = { state: this.state, ...revealed };
      const legal = await ask<Schemas["SnowTimeLegalMovesResponse"]>("/legal-moves", position);
      if (legal.decision === "none") break;
      moves = { ...moves, ...(await this.choices(position, legal.moves)) };
    }
    const played = { state: this.state, moves };
    this.history.push(played);
    const resolved = await ask<Schemas["SnowTimeResolveResponse"]>("/resolve", played);
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
  private async choices(position: object, legal: Record<string, Move[]>) {
    const chosen: Record<string, Move> = {};
    const deciding = Object.keys(legal).map((seat) => this.seat(seat)?.player ?? seat);
    for (const player of new Set(deciding)) {
      const nonce = seed === undefined ? randomUUID() : `${seed}-${this.rounds}`;
      const opponents = { history: this.history.slice(-HISTORY) };
      const question = { ...position, player, nonce, opponents, detail: "brief" };
      const hint = await ask<Schemas["SnowTimeSuggestResponse"]>("/suggest", question);
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

  private textOf(move: Move): string {
    const cards = [move.card, ...(move.card === "healer" ? (move.recover ?? []) : [])];
    const text = cards.map((card) => this.cards[card]?.[language]).join(" ");
    return move.card === "watcher" && move.then ? `${text} + ${this.textOf(move.then)}` : text;
  }

  private nameOf(seat: string): string {
    const name = this.seat(seat)?.name ?? seat;
    return Object.keys(this.names).length === 2 ? `${name} (${seat})` : name;
  }

  private seat = (name: string) => this.state.seats.find(({ seat }) => seat === name);
  private allSeats = (moves: object) => Object.keys(moves).length === this.state.seats.length;
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
    console.error(error.message);
    process.exit(1);
  },
);
