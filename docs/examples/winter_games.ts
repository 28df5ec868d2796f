/**
 * A thin client of the service to copy into your app; it needs only `fetch`.
 *
 *     const games = new WinterGames("http://localhost:8000", "snow-time", "de");
 *     const { state } = await games.ask("new", { seats: [{ seat: "red" }, { seat: "blue" }, { seat: "green" }] });
 *     const played = await games.playRound(state, choose, { seed: 1 });
 *
 * `winter_games.py` is the same client in Python. For types of all bodies, see "Generate a client" in the guide.
 */

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Document = Record<string, any>;

/** Takes a position, as `suggest` wants it, and the legal moves; returns choices by actor. */
export type Choose = (position: Document, legal: Document) => Promise<Document>;

/** A round or a turn: what `history` and `review` need of it, and the response of `resolve`. */
export interface Played {
  entry: Document;
  resolved: Document;
}

const TRIES = 5;
const BUSY = [429, 503];

/** The service refused a request; the message is the first violation. */
export class Problem extends Error {
  readonly code: string;
  /** All violations, each with its path. */
  readonly errors: { path: string; detail: string }[];

  constructor(readonly status: number, problem: Document) {
    const first = problem.errors?.[0];
    super(`${status} ${first ? `${first.path}: ${first.detail}` : (problem.detail ?? "no JSON")}`);
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
  }
}

/** One game of the service, asked in one language. */
export class WinterGames {
  private readonly url: string;
  private readonly headers: Record<string, string>;

  constructor(url: string, game: string, language = "en", key = "") {
    this.url = `${url.replace(/\/+$/, "")}/v1/games/${game}`;
    this.headers = { "Content-Type": "application/json", "Accept-Language": language };
    if (key) this.headers["Authorization"] = `Bearer ${key}`;
  }

  /**
   * Return the response of an operation; without one, the description of the game.
   *
   * A busy service is asked again when it says so: every request is safe to repeat.
   */
  async ask<Response = Document>(operation = "", body?: object): Promise<Response> {
    for (let triesLeft = TRIES - 1; ; triesLeft -= 1) {
      const response = await fetch(operation ? `${this.url}/${operation}` : this.url, {
        method: body === undefined ? "GET" : "POST",
        headers: this.headers,
        body: JSON.stringify(body),
      });
      if (response.ok) return (await response.json()) as Response;
      if (!BUSY.includes(response.status) || triesLeft === 0) {
        throw new Problem(response.status, await response.json().catch(() => ({})));
      }
      const seconds = Number(response.headers.get("Retry-After") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    }
  }

  /**
   * Play a round of Snow Time.
   *
   * @param state the position before growth
   * @param choose returns the moves of all seats that decide: the cards, then what watchers add, then what healers
   *     take back
   * @param growth `seed`, or `dice` as thrown at the table
   */
  async playRound(state: Document, choose: Choose, growth: Document): Promise<Played> {
    const grown = await this.ask("grow", { state, ...growth });
    let position: Document = { state: grown.state };
    while (true) {
      const legal = await this.ask("legal-moves", position);
      if (legal.decision === "none") break;
      const chosen = await choose(position, legal.moves);
      position = { ...position, revealed: { ...position.revealed, ...chosen } };
    }
    const entry = { state: grown.state, dice: grown.dice, moves: position.revealed };
    const resolved = await this.ask("resolve", { state: entry.state, moves: entry.moves });
    return { entry, resolved };
  }

  /**
   * Play a turn of Slopecrashers or Snowcrest.
   *
   * @param state the position before the turn
   * @param choose returns the action of the player who decides, who may answer another one
   * @param draw returns the drawn one of the possible cards
   */
  async playTurn(state: Document, choose: Choose, draw: (cards: Document[]) => Document): Promise<Played> {
    let soFar: Document[] = [];
    while (true) {
      const position = { state, so_far: soFar };
      const legal = await this.ask("legal-moves", position);
      if (legal.decision === "none") break;
      if (legal.decision === "draw") {
        soFar = [...soFar, draw(legal.draw)];
      } else {
        const chosen = await choose({ ...position, player: legal.player }, legal.moves);
        soFar = [...soFar, chosen[legal.player]];
      }
    }
    const resolved = await this.ask("resolve", { state, moves: soFar });
    return { entry: { moves: soFar }, resolved };
  }
}

/** Return `opponents.history` of `suggest`: the newest rounds of Snow Time. */
export function history(rounds: Played[], most = 60): Document[] {
  return rounds.slice(-most).map(({ entry }) => entry);
}

/** Return the body of `review`: the first position, and all rounds or turns. */
export function review(start: Document, played: Played[]): Document {
  const entries = played.map(({ entry }) => entry);
  if (entries.every((entry) => "dice" in entry)) return { state: start, rounds: entries };
  return { state: start, turns: entries.map(({ moves }) => moves) };
}
