// What the page knows about how the players play: the rounds of this game, and profiles of earlier
// games, which the browser stores by display name.

import { recall, remember } from "../storage.js";

const KEY = "profiles";
const MAX_PROFILES = 100;
const MAX_ROUNDS = 60;
// The service accepts bodies of 64 KiB; the rest is for the position and its track.
const MAX_BYTES = 40 * 1024;
const REJECTED = ["bad-profile", "profile-version"];

export class Evidence {
  rounds = [];
  profiles = new Map();
  names = new Map();

  /** Return the stored profiles of the players of a new game, by player. */
  static profilesOf(seats) {
    const stored = storedProfiles();
    const known = [...uniqueNames(seats)].filter(([, name]) => stored.has(name));
    return Object.fromEntries(known.map(([player, name]) => [player, stored.get(name)]));
  }

  /**
   * Take over a game: its completed rounds, each with the position after growth and the moves, and
   * the profiles at its beginning. Later profiles include its rounds.
   */
  read({ start, profiles }, turns) {
    this.names = uniqueNames(start.seats);
    this.profiles = new Map(Object.entries(profiles));
    this.rounds = turns.map(({ grown, moves }) => ({ state: grown, moves }));
  }

  /** Return whether there is anything to learn from. */
  some() {
    return this.rounds.length > 0 || this.profiles.size > 0;
  }

  /** Return the fields of a request about the others: the newest rounds, and the profiles. */
  fields(player) {
    const others = [...this.profiles].filter(([each]) => each !== player);
    return { history: newest(this.rounds), profiles: Object.fromEntries(others) };
  }

  /** Store the profiles of a hint for the next game. */
  store(hint) {
    const stored = storedProfiles();
    for (const [player, { compact, evidence }] of Object.entries(hint.opponents ?? {})) {
      const name = this.names.get(player);
      if (!name || !evidence.rounds) continue;
      stored.delete(name);
      stored.set(name, compact);
    }
    write([...stored].slice(-MAX_PROFILES));
  }

  /** Remove the profiles that a problem rejects; return whether there were any. */
  dropRejected(problem) {
    const rejected = (problem.document?.errors ?? [])
      .filter(({ code }) => REJECTED.includes(code))
      .map(({ path }) => path.split("/").at(-1))
      .filter((player) => this.profiles.delete(player));
    const stored = storedProfiles();
    for (const player of rejected) stored.delete(this.names.get(player));
    if (rejected.length) write([...stored]);
    return rejected.length > 0;
  }

  /** Remove all profiles, also those of players who are not in this game. */
  forget() {
    this.profiles.clear();
    write([]);
  }
}

/** Return whether the browser stores any profile. */
export function hasProfiles() {
  return storedProfiles().size > 0;
}

/** Return the display names by player; equal names identify nobody and are left out. */
function uniqueNames(seats) {
  const names = new Map(seats.filter(({ name }) => name).map(({ seat, player, name }) => [player ?? seat, name]));
  const all = [...names.values()];
  return new Map([...names].filter(([, name]) => all.indexOf(name) === all.lastIndexOf(name)));
}

function storedProfiles() {
  try {
    return new Map(JSON.parse(recall(KEY) ?? "[]"));
  } catch {
    return new Map();
  }
}

function write(entries) {
  remember(KEY, entries.length ? JSON.stringify(entries) : null);
}

function newest(rounds) {
  const encoder = new TextEncoder();
  let bytes = 0;
  let start = rounds.length;
  while (start > 0 && rounds.length - start < MAX_ROUNDS) {
    bytes += encoder.encode(JSON.stringify(rounds[start - 1])).length;
    if (bytes > MAX_BYTES) break;
    start -= 1;
  }
  return rounds.slice(start);
}
