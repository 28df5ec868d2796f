// What the page loads with the first review: its graph, errors, accounts and retries, and the image.

import { accounts } from "./accounts.js";
import { archive } from "./archive.js";
import { cost, errors } from "./errors.js";
import { graph } from "./graph.js";
import { Retry } from "./retry.js";
import { sharePicture } from "./share-image.js";
import { story } from "./story.js";

export const reviewing = { accounts, archive, cost, errors, graph, Retry, sharePicture, story };
