// Violations of a refused request, in the words of the page.

import { h } from "./dom.js";
import { playerName } from "./names.js";
import { has, sentences, t } from "./text.js";

const GROUPS = ["fruit", "track", "seats"];

/** Return the sentence for a violation. */
export function faultText({ code }) {
  return has(`fault.${code}`) ? t(`fault.${code}`) : t("fault.other");
}

/** Return a violation with its place: the name of the player, or the part of the position. */
export function faultWithPlace(fault, seats) {
  const [, , group, index] = fault.path.split("/");
  const seat = group === "seats" ? seats[Number(index)] : null;
  const id = seat?.seat ?? seat?.player;
  if (id) return t("list.entry", { name: seatWord(id), text: faultText(fault) });
  if (GROUPS.includes(group)) return t("list.entry", { name: t(`fault.place.${group}`), text: faultText(fault) });
  return faultText(fault);
}

function seatWord(id) {
  const name = playerName(id);
  return name === id && has(`seat.${id}`) ? t(`seat.${id}`) : String(name);
}

/** The violations of a form: each is shown at its field until the field is changed. */
export class FieldFaults {
  constructor(errors = []) {
    this.errors = errors;
    this.placed = new Set();
  }

  /** Return the message for the field or group of a path, or null; groups take what is left. */
  at(path, id) {
    const here = this.errors.filter((error) => !this.placed.has(error) && (error.path === path || error.path.startsWith(`${path}/`)));
    if (!here.length) return null;
    for (const error of here) this.placed.add(error);
    const texts = [...new Set(here.map(faultText))];
    return h("p", { id, class: "fault", "data-fault": path }, sentences(texts));
  }

  /** Return the violations that no field of the form shows. */
  unplaced() {
    return this.errors.filter((error) => !this.placed.has(error));
  }

  /** Remove the violations of a path; return whether none is left. */
  mend(path) {
    this.errors = this.errors.filter((error) => error.path !== path && !error.path.startsWith(`${path}/`));
    return this.errors.length === 0;
  }
}
