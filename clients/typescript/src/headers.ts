/** The headers that an answer came with, for as long as somebody has the answer. */

const known = new WeakMap<object, Headers>();

export function remember(answer: unknown, headers: Headers): void {
  if (typeof answer === "object" && answer !== null) known.set(answer, headers);
}

export function headersOf(answer: object): Headers | undefined {
  return known.get(answer);
}

/** Return the version of a resource that was read, created or changed, for `If-Match`. */
export function etagOf(resource: object): string | undefined {
  return headersOf(resource)?.get("ETag") ?? undefined;
}
