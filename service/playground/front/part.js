// What the page loads for its front door and for the rules on one screen.

import { frontDoor, tableDoor } from "./front-door.js";
import { rules } from "./rules.js";

export const front = { frontDoor, tableDoor, rules };
