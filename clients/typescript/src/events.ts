/** Follows the feed of events, with a cursor after each. */

import type { Meetdeck, Schemas } from "./client.js";

/** An event, and the cursor that continues right after it: store both in one go. */
export interface Followed {
  event: Schemas["ShownEvent"];
  cursor: string;
}

const PAGE = 100;
const WAIT = 25;

/**
 * The service's cursors stand between pages. `after~id` also names an event in one: its page is read again, and what comes
 * before is skipped.
 */
export async function* follow(
  client: Meetdeck,
  cursor: string,
  types: string[],
  signal?: AbortSignal,
): AsyncGenerator<Followed, void> {
  let [after = "", handled = ""] = cursor.split("~");
  while (true) {
    const query = { limit: PAGE, wait: WAIT, ...(after && { after }), ...(types.length > 0 && { types }) };
    const { items, next } = await client.get("/events", { params: { query }, ...(signal && { signal }) });
    const start = items.findIndex((event) => event.id === handled) + 1;
    for (const [index, event] of items.slice(start).entries()) {
      yield { event, cursor: start + index + 1 === items.length ? next : `${after}~${event.id}` };
    }
    [after, handled] = [next, ""];
  }
}
