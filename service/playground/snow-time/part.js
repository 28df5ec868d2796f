// What the page loads for Snow Time.

import { roundLines } from "./story.js";
import { SnowTime } from "./view.js";

export const part = {
  unit: "round",
  view: (place, about, page) => new SnowTime(place, about, page),
  lines: roundLines,
};
