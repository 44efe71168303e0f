/** The client: openapi-fetch's types and addresses, the manners of `sending.ts`, and calls that are more than one request. */

import {
  createFinalURL,
  createQuerySerializer,
  defaultBodySerializer,
  defaultPathSerializer,
  type FetchResponse,
  type HeadersOptions,
  type MaybeOptionalInit,
  mergeHeaders,
  type ParseAs,
} from "openapi-fetch";
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from "openapi-typescript-helpers";

import { follow, type Followed } from "./events.js";
import { remember } from "./headers.js";
import { Hold } from "./holds.js";
import type { components, paths } from "./schema.js";
import { makeSender, type Options, trimBase } from "./sending.js";

/** The addresses of the API, without `/api/v3`. */
export type Paths = { [P in keyof paths as P extends `/api/v3${infer Rest}` ? Rest : never]: paths[P] };
export type Schemas = components["schemas"];

type Init<I> = RequiredKeysOf<I> extends never ? [init?: I] : [init: I];
type Data<T extends Record<string | number, unknown>, I> = NonNullable<FetchResponse<T, I, "application/json">["data"]>;
type Answer<T, I> = T extends Record<string | number, unknown>
  ? [Data<T, I>] extends [never]
    ? undefined
    : Data<T, I>
  : never;

type Call<M extends HttpMethod> = <P extends PathsWithMethod<Paths, M>, I extends MaybeOptionalInit<Paths[P], M>>(
  path: P,
  ...init: Init<I>
) => Promise<Answer<Paths[P][M & keyof Paths[P]], I>>;

type Item<T> = T extends (infer I)[] ? I : T extends { items: (infer I)[] } ? I : never;
type Get<P extends keyof Paths> = Paths[P]["get" & keyof Paths[P]];
/** The addresses of lists that come in pages. */
export type PagedPath = {
  [P in PathsWithMethod<Paths, "get">]: Get<P> extends { parameters: { query?: infer Q } }
    ? Extract<keyof NonNullable<Q>, "after" | "offset" | "pageNumber"> extends never
      ? never
      : P
    : never;
}[PathsWithMethod<Paths, "get">];

/** A client of one firm at one installation. */
export class Meetdeck {
  readonly #base: string;
  readonly #send: (request: Request) => Promise<Response>;

  constructor(options: Options) {
    this.#base = `${trimBase(options.baseUrl)}/api/v3`;
    this.#send = makeSender(options);
  }

  /** Read: `client.get("/booking/employees")`. */
  readonly get: Call<"get"> = (path, ...init) => this.#call("GET", path, init[0]);
  readonly post: Call<"post"> = (path, ...init) => this.#call("POST", path, init[0]);
  readonly put: Call<"put"> = (path, ...init) => this.#call("PUT", path, init[0]);
  readonly patch: Call<"patch"> = (path, ...init) => this.#call("PATCH", path, init[0]);
  readonly delete: Call<"delete"> = (path, ...init) => this.#call("DELETE", path, init[0]);

  /** Yield the items of a list, page after page, each read when it is needed. */
  async *iterate<P extends PagedPath>(
    path: P,
    ...init: Init<MaybeOptionalInit<Paths[P], "get">>
  ): AsyncGenerator<Item<Answer<Get<P>, undefined>>, void> {
    let asked: Asked | undefined = { ...(init[0] as Asked | undefined) };
    while (asked !== undefined) {
      const { data, response } = await this.#request("GET", path, asked);
      const items: unknown[] = Array.isArray(data) ? data : (data as { items: unknown[] }).items;
      yield* items as Item<Answer<Get<P>, undefined>>[];
      asked = findNext(asked, data, items.length, response);
    }
  }

  /**
   * Hold a time that a search found, and renew it: `await using hold = await client.hold(slot)`.
   *
   * At the end it is given back, unless it was booked. With the meeting's topic, its specialists and seats are held, too.
   */
  hold(slot: Schemas["AvailableSlot"] | Schemas["SlotToReserve"], topicId?: string): Promise<Hold> {
    return Hold.begin(this, slot, topicId);
  }

  /** Return what `work` returns while a time is held; see `hold`. */
  async withHold<T>(
    slot: Schemas["AvailableSlot"] | Schemas["SlotToReserve"],
    work: (hold: Hold) => Promise<T>,
    topicId?: string,
  ): Promise<T> {
    const hold = await this.hold(slot, topicId);
    try {
      return await work(hold);
    } finally {
      await hold.end();
    }
  }

  /** Return a deck: a whole template filled with data. */
  async buildDeck(template: string, data?: Record<string, unknown>): Promise<Blob> {
    const { contentId } = await this.post("/present/slides/generate", { body: { template, ...(data && { data }) } });
    return this.get("/present/contents/{contentId}", { params: { path: { contentId } }, parseAs: "blob" });
  }

  /**
   * Yield events without an end, as they happen, each with the cursor that continues right after it.
   *
   * @param cursor That of the event that was handled last; `latest`: from now on; empty: all that is kept.
   * @param types Only these: `meeting.created`, `meeting.*`.
   */
  follow(cursor = "latest", types: string[] = [], signal?: AbortSignal): AsyncGenerator<Followed, void> {
    return follow(this, cursor, types, signal);
  }

  async #call<T>(method: string, path: string, init: object | undefined): Promise<T> {
    return (await this.#request(method, path, init)).data as T;
  }

  async #request(method: string, path: string, init: Asked = {}): Promise<{ data: unknown; response: Response }> {
    const { params = {}, body, parseAs = "json", headers, bodySerializer, querySerializer = inQuery, ...rest } = init;
    const content = body === undefined ? undefined : (bodySerializer ?? defaultBodySerializer)(body);
    const kind = content === undefined || content instanceof FormData ? {} : { "Content-Type": "application/json" };
    const parts = { baseUrl: this.#base, params, querySerializer, pathSerializer: defaultPathSerializer };
    const asked = { ...rest, method, headers: mergeHeaders(kind, headers, params.header) };
    const request = new Request(createFinalURL(path, parts), content === undefined ? asked : { ...asked, body: content });
    const response = await this.#send(request);
    const isEmpty = response.status === 204 || (parseAs === "json" && response.headers.get("Content-Length") === "0");
    const data: unknown = isEmpty ? undefined : parseAs === "stream" ? response.body : await response[parseAs]();
    remember(data, response.headers);
    return { data, response };
  }
}

const inQuery = createQuerySerializer<Record<string, unknown>>();

/** What a call may be given, for all operations together. */
interface Asked extends Omit<RequestInit, "body" | "headers"> {
  params?: { query?: Record<string, unknown>; path?: Record<string, unknown>; header?: HeadersOptions };
  body?: unknown;
  headers?: HeadersOptions;
  parseAs?: ParseAs;
  bodySerializer?: (body: unknown) => BodyInit;
  querySerializer?: (query: Record<string, unknown>) => string;
}

/** Return what to ask for after an answer: by a `Link`, the place `next`, or a number; nothing: it was the last page. */
function findNext(asked: Asked, data: unknown, found: number, response: Response): Asked | undefined {
  const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  if (link !== undefined) return { ...asked, querySerializer: () => new URL(link).search.slice(1) };
  const query = asked.params?.query ?? {};
  const change = (changes: object) => ({ ...asked, params: { ...asked.params, query: { ...query, ...changes } } });
  if (!Array.isArray(data)) {
    const { next, pageNumber, totalPages = 0 } = data as { next?: string; pageNumber?: number; totalPages?: number };
    if (next) return change({ after: next });
    const number = (pageNumber ?? totalPages) + 1;
    return number < totalPages ? change({ pageNumber: number }) : undefined;
  }
  const { limit, offset } = query as { limit?: number; offset?: number };
  return limit !== undefined && found === limit ? change({ offset: (offset ?? 0) + limit }) : undefined;
}
