/** Sends a request: with a token, and again when the connection breaks or the service says so. */

import { ConnectionFailed, makeProblem, readRetryAfter } from "./problems.js";

/** How often a request is sent again, and how long the pauses are, in seconds. */
export interface Retries {
  most: number;
  firstPause: number;
  longestPause: number;
  /** A `Retry-After` beyond this is thrown as the error that it is. */
  longestWait: number;
}

/** One try of a request. */
export interface Attempt {
  number: number;
  method: string;
  url: string;
  seconds: number;
  /** Missing: no answer arrived. */
  response: Response | undefined;
  error: unknown;
  /** Whether the service had carried out the request before, and sent its answer again. */
  replayed: boolean;
  /** The seconds until the next try; missing: this was the last. */
  pause: number | undefined;
}

/** How the client proves who it is: a token of yours, or credentials with which it fetches one and renews it. */
export type Credentials =
  | { token: string | (() => string | Promise<string>) }
  | {
      clientId: string;
      clientSecret: string;
      /** Where tokens are fetched, at your identity provider; default: the installation's own issuer. */
      tokenUrl?: string;
      /** The scope of the tokens, if the identity provider wants one. */
      scope?: string;
    };

export type Options = Credentials & {
  /** The installation's address. */
  baseUrl: string;
  /** The firm's subscription key. */
  key?: string;
  retries?: Partial<Retries>;
  /** The seconds that one try may take; default 120. */
  timeout?: number;
  /** Called after each try. */
  onAttempt?: (attempt: Attempt) => void;
  /** Your own fetch. */
  fetch?: typeof globalThis.fetch;
};

type Send = (request: Request) => Promise<Response>;

const REFUSED = [429, 503];
const LOST = [502, 504]; // a proxy's answer in place of the service's
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];
/** Addresses whose POST takes no `Idempotency-Key` and must not be carried out twice. */
const ONCE = /\/(undo|notice|replay|test|reassign)$/;

/** Return a fetch that adds token and key, repeats what may be repeated, and throws what was refused. */
export function makeSender(options: Options): Send {
  const retries: Retries = { most: 5, firstPause: 0.25, longestPause: 8, longestWait: 60, ...options.retries };
  const fetchOnce = options.fetch ?? globalThis.fetch;

  async function attempt(request: Request, repeatable: boolean): Promise<Response> {
    for (let tries = 1, lost = false; ; tries++) {
      const began = Date.now();
      let response: Response | undefined;
      let error: unknown;
      try {
        const signal = AbortSignal.any([request.signal, AbortSignal.timeout(1000 * (options.timeout ?? 120))]);
        response = await readWhole(await fetchOnce(request.clone(), { signal }));
      } catch (caught) {
        request.signal.throwIfAborted();
        error = caught;
      }
      const refused = response !== undefined && REFUSED.includes(response.status);
      const broken = response === undefined || LOST.includes(response.status);
      const again = refused || (broken && (repeatable || isNeverSent(error)));
      const pause = again ? choosePause(retries, tries, response && readRetryAfter(response)) : undefined;
      const replayed = response?.headers.get("Idempotency-Replayed") === "true";
      const seconds = (Date.now() - began) / 1000;
      const { method, url } = request;
      options.onAttempt?.({ number: tries, method, url, seconds, response, error, replayed, pause });
      if (pause === undefined) {
        if (response === undefined) {
          throw new ConnectionFailed(`${method} ${url} was not answered in ${tries} attempts`, { cause: error });
        }
        // The answer that was lost said that it is deleted.
        return lost && method === "DELETE" && response.status === 404 ? new Response(null, { status: 204 }) : response;
      }
      lost ||= broken;
      await new Promise((resolve) => setTimeout(resolve, 1000 * pause));
    }
  }

  const tokens = makeTokens(options, (request) => attempt(request, true));

  return async function send(request) {
    const { method } = request;
    const headers = request.headers;
    if (options.key) headers.set("Ocp-Apim-Subscription-Key", options.key);
    if (method === "POST" && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
    const repeatable = method !== "PATCH" && !headers.has("If-Match") && !ONCE.test(new URL(request.url).pathname);
    headers.set("Authorization", `Bearer ${await tokens.get()}`);
    let response = await attempt(request, repeatable);
    if (response.status === 401 && tokens.forget()) {
      headers.set("Authorization", `Bearer ${await tokens.get()}`);
      response = await attempt(request, repeatable);
    }
    if (!response.ok) throw await makeProblem(request, response);
    return response;
  };
}

function makeTokens(options: Options, send: Send): { get: () => Promise<string>; forget: () => boolean } {
  if ("token" in options) {
    const { token } = options;
    return { get: async () => (typeof token === "string" ? token : token()), forget: () => typeof token !== "string" };
  }
  let fetched: { token: string; until: number } | undefined;
  return {
    async get() {
      if (fetched === undefined || Date.now() > fetched.until) {
        const { clientId, clientSecret, scope, tokenUrl } = options;
        const form = new URLSearchParams({ grant_type: "client_credentials", client_id: clientId });
        form.set("client_secret", clientSecret);
        if (scope) form.set("scope", scope);
        const url = tokenUrl ?? `${trimBase(options.baseUrl)}/oauth/token`;
        const request = new Request(url, { method: "POST", body: form });
        const response = await send(request);
        if (!response.ok) throw await makeProblem(request, response);
        const answer = (await response.json()) as { access_token: string; expires_in?: number };
        const lifetime = answer.expires_in ?? 300;
        fetched = { token: answer.access_token, until: Date.now() + 1000 * Math.max(lifetime - 60, lifetime / 2) };
      }
      return fetched.token;
    },
    forget() {
      const had = fetched !== undefined;
      fetched = undefined;
      return had;
    },
  };
}

/** Return the installation's address, without what its API's begins with. */
export function trimBase(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/api\/v3$/, "");
}

/** Read the body, so that a connection that breaks within it counts as broken. */
async function readWhole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response([204, 304].includes(status) ? null : body, { status, statusText, headers });
}

/** Return the pause after so many tries, at random, so that callers do not come back together. */
function choosePause(retries: Retries, tries: number, retryAfter: number | undefined): number | undefined {
  if (tries > retries.most || (retryAfter ?? 0) > retries.longestWait) return undefined;
  const longest = Math.min(retries.longestPause, retries.firstPause * 2 ** (tries - 1));
  const share = Math.random();
  return retryAfter === undefined ? (longest * (1 + share)) / 2 : retryAfter + share * retries.firstPause;
}

function isNeverSent(error: unknown): boolean {
  const cause = (error as { cause?: { code?: string } } | undefined)?.cause;
  return NEVER_SENT.includes(cause?.code ?? "");
}
