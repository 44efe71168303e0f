/** Client of the Meetdeck API. See the README. */

export { Meetdeck, type PagedPath, type Paths, type Schemas } from "./client.js";
export { type Code, VERSION } from "./codes.js";
export type { Followed } from "./events.js";
export { etagOf } from "./headers.js";
export { Hold } from "./holds.js";
export { ConnectionFailed, type Fault, InvalidSignature, isProblem, Problem, Stale } from "./problems.js";
export type { Attempt, Credentials, Options, Retries } from "./sending.js";
export * as webhooks from "./webhooks.js";
