/** Return what was expected to be there; else end the walk. */
export function expect<T>(value: T | null | undefined, what: unknown = "an answer"): T {
  if (value === null || value === undefined) throw new Error(`Expected ${JSON.stringify(what)}`);
  return value;
}

/** End the walk unless it is so. */
export function check(isSo: boolean, what: unknown): void {
  if (!isSo) throw new Error(`Not so: ${JSON.stringify(what)}`);
}

/** Return the last of a list. */
export function last<T>(items: readonly T[]): T {
  return expect(items.at(-1), "an item");
}

/** Return the first bytes of a file as text. */
export async function beginOf(file: unknown, length: number): Promise<string> {
  check(file instanceof Blob, "a file");
  return new TextDecoder("latin1").decode(await (file as Blob).slice(0, length).arrayBuffer());
}
