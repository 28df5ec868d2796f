// What the page loads for Snowcrest.

import { turnLines } from "../turns/story.js";
import { TurnGame } from "../turns/view.js";
import { prepare, snowcrest } from "./snowcrest.js";

export const part = {
  unit: "turn",
  prepare,
  view: (place, about, page) => new TurnGame(place, about, page, snowcrest),
  lines: (...story) => turnLines(snowcrest, ...story),
};
