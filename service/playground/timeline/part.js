// What the page loads with the first review: its figures, graph, errors, accounts and retries, and the image.

import { archive } from "./archive.js";
import { course, decisions, moment } from "./course.js";
import { Retry } from "./retry.js";
import { mistakesOf, shareAt, timelineOf } from "./series.js";
import { sharePicture } from "./share-image.js";
import { story } from "./story.js";

export const reviewing = { archive, course, decisions, mistakesOf, moment, Retry, shareAt, sharePicture, story, timelineOf };
