/** The errors that calls throw. */

import type { Code } from "./codes.js";

/** One fault of the input: its place (RFC 6901 into the body, or `/query/name`), and the remedy. */
export interface Fault {
  pointer: string;
  detail: string;
}

/** No answer arrived, however often the request was sent. A POST may have been carried out: repeat it with the same key. */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed";
}

/** A webhook's signature is missing, wrong or too old. */
export class InvalidSignature extends Error {
  override readonly name = "InvalidSignature";
}

/** A refusal. Switch on its `code`; `detail` is for people. */
export class Problem extends Error {
  override readonly name: string = "Problem";
  readonly status: number;
  /** The stable kind of problem; empty if the answer is not the service's, but a proxy's. */
  readonly code: Code | "";
  readonly detail: string;
  /** The rule that refuses, if it is one of several. */
  readonly rule: string | undefined;
  readonly faults: readonly Fault[];
  /** The request's id, which is also in the service's log. */
  readonly requestId: string | undefined;

  constructor(
    readonly response: Response,
    body: Record<string, unknown>,
  ) {
    // Of a token that was refused: the identity provider's words.
    const detail = String(body["detail"] ?? body["error_description"] ?? body["error"] ?? "");
    super(`${response.status} ${body["code"] ?? response.statusText}: ${detail}`);
    this.status = response.status;
    this.code = (body["code"] ?? "") as Code;
    this.detail = detail;
    this.rule = body["rule"] as string | undefined;
    this.faults = (body["errors"] ?? []) as Fault[];
    this.requestId = (body["requestId"] as string | undefined) ?? response.headers.get("X-Request-Id") ?? undefined;
  }

  /** The place of each fault. */
  get pointers(): string[] {
    return this.faults.map((fault) => fault.pointer);
  }

  /** The seconds after which the service says to try again. */
  get retryAfter(): number | undefined {
    return readRetryAfter(this.response);
  }
}

/** Somebody else changed the resource since you read it. */
export class Stale extends Problem {
  override readonly name = "Stale";
  /** The entity tag of the version that is there. */
  readonly current: string | null;

  constructor(
    /** The entity tag of your version. */
    readonly sent: string | null,
    response: Response,
    body: Record<string, unknown>,
  ) {
    super(response, body);
    this.current = response.headers.get("ETag");
  }
}

/** Return whether an error is a refusal, with one of these codes if any are given. */
export function isProblem<C extends Code>(error: unknown, ...codes: C[]): error is Problem & { code: C } {
  return error instanceof Problem && (codes.length === 0 || codes.includes(error.code as C));
}

export async function makeProblem(request: Request, response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null); // a proxy's page
  const members = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  if (members["code"] === "stale") return new Stale(request.headers.get("If-Match"), response, members);
  return new Problem(response, members);
}

export function readRetryAfter(response: Response): number | undefined {
  const value = response.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(value) ? Number(value) : undefined;
}
