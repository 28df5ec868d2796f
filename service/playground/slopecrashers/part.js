// What the page loads for Slopecrashers.

import { turnLines } from "../turns/story.js";
import { TurnGame } from "../turns/view.js";
import { slopecrashers } from "./slopecrashers.js";

export const part = {
  unit: "turn",
  view: (place, about, page) => new TurnGame(place, about, page, slopecrashers),
  lines: (...story) => turnLines(slopecrashers, ...story),
};
