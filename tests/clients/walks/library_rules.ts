// The rules of sending again, of tokens and of webhooks, with a service of our own that answers as it is told.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";

import { type Attempt, ConnectionFailed, InvalidSignature, isProblem, Meetdeck, Problem, Stale, webhooks } from "@meetdeck/client";
import type { Credentials } from "@meetdeck/client";

type Told = Response | Error;

const LOST = new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
const NEVER_SENT = new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } });
const ID = "00000000-0000-0000-0000-000000000007";
const contentId = { params: { path: { contentId: ID } } };
const meetingId = { params: { path: { meetingId: ID } } };

let requests: Request[] = [];
let attempts: Attempt[] = [];

function refuse(status: number, code: string, headers: Record<string, string> = {}): Response {
  const errors = [{ pointer: "/title", detail: "Too long." }];
  return Response.json({ code, detail: "No.", status, requestId: "r-1", errors }, { status, headers });
}

const done = () => new Response("PK");
const token = (text: string, lifetime = 3600) => Response.json({ access_token: text, expires_in: lifetime });

function connect(answers: Told[], credentials: Credentials = { token: "t" }): Meetdeck {
  requests = [];
  attempts = [];
  const remaining = [...answers];
  return new Meetdeck({
    ...credentials,
    baseUrl: "http://x/",
    key: "k",
    retries: { firstPause: 0.001, longestPause: 0.002, longestWait: 1 },
    onAttempt: (attempt) => attempts.push(attempt),
    fetch: async (request) => {
      requests.push(request as Request);
      const found = remaining.shift();
      if (found instanceof Response) return found;
      throw found ?? new Error("nothing is left to answer");
    },
  });
}

const build = (client: Meetdeck) =>
  client.post("/present/slides", { body: { template: "T", slides: [] }, parseAs: "text" });
const refused = (status: number, code: string) => (error: unknown) =>
  error instanceof Problem && error.status === status && error.code === code;

// A POST is sent again, with the same key, after all that may pass; the next one has another key.
const passing = [LOST, NEVER_SENT, refuse(503, "busy"), refuse(429, "rate_limited", { "Retry-After": "0" })];
let client = connect([...passing, new Response("", { status: 502 }), done(), done()]);
assert.equal(await build(client), "PK");
assert.equal(await build(client), "PK");
const keys = requests.map((request) => request.headers.get("Idempotency-Key"));
assert.equal(new Set(keys.slice(0, 6)).size, 1);
assert.notEqual(keys[6], keys[0]);
assert.deepEqual(attempts.map((attempt) => attempt.number), [1, 2, 3, 4, 5, 6, 1]);
assert.deepEqual(attempts.map((attempt) => attempt.pause === undefined), [false, false, false, false, false, true, true]);
assert.equal(requests[6]?.headers.get("Authorization"), "Bearer t");
assert.equal(requests[6]?.headers.get("Ocp-Apim-Subscription-Key"), "k");

// It ends some time: with the last refusal, or without an answer.
const six = Array.from({ length: 6 });
await assert.rejects(build(connect(six.map(() => refuse(503, "busy")))), refused(503, "busy"));
await assert.rejects(build(connect(six.map(() => LOST))), (error: unknown) => error instanceof ConnectionFailed && error.cause === LOST);
await assert.rejects(
  build(connect([refuse(429, "rate_limited", { "Retry-After": "30" })])),
  (error: unknown) => isProblem(error, "rate_limited") && error.retryAfter === 30,
);

// The service says how long to wait, and a caller who gives up is not kept.
const began = Date.now();
await build(connect([refuse(429, "rate_limited", { "Retry-After": "1" }), done()]));
assert.ok(Date.now() - began >= 1000);
client = connect([LOST, done()]);
await assert.rejects(client.get("/booking/employees", { signal: AbortSignal.abort(new Error("gone home")) }), /gone home/);

// What must not happen twice is not sent again once it was sent.
const once: ((client: Meetdeck) => Promise<unknown>)[] = [
  (client) => client.patch("/booking/meetings/{meetingId}", { ...meetingId, body: [{ op: "remove", path: "/title" }] }),
  (client) => client.post("/booking/meetings/{meetingId}/undo", meetingId),
  (client) => client.post("/events/webhooks/{webhookId}/test", { params: { path: { webhookId: ID } } }),
  (client) => client.delete("/present/contents/{contentId}", { ...contentId, headers: { "If-Match": '"1"' } }),
];
for (const call of once) {
  await assert.rejects(call(connect([LOST])), ConnectionFailed);
  assert.equal(requests.length, 1);
  await assert.rejects(call(connect([NEVER_SENT, refuse(503, "busy"), refuse(500, "internal")])), refused(500, "internal"));
  assert.equal(requests.length, 3);
}

// A lost answer said that it is deleted; without one, it never was.
const remove = (client: Meetdeck) => client.delete("/present/contents/{contentId}", contentId);
assert.equal(await remove(connect([LOST, refuse(404, "content_not_found")])), undefined);
const never = remove(connect([refuse(503, "busy"), refuse(404, "content_not_found")]));
await assert.rejects(never, refused(404, "content_not_found"));

// Refusals.
await assert.rejects(build(connect([refuse(409, "time_slot_taken")])), (error: unknown) => {
  assert.ok(isProblem(error, "stale", "time_slot_taken"));
  assert.ok(!isProblem(error, "stale"));
  assert.deepEqual([error.pointers, error.requestId], [["/title"], "r-1"]);
  return true;
});
await assert.rejects(build(connect([new Response("<h1>a proxy's page</h1>", { status: 404 })])), refused(404, ""));
const stale = refuse(412, "stale", { ETag: '"2"' });
await assert.rejects(once[3]!(connect([stale])), (error: unknown) => {
  assert.ok(error instanceof Stale);
  assert.deepEqual([error.sent, error.current], ['"1"', '"2"']);
  return true;
});

// Tokens: fetched once, renewed in time, and once more when one is refused.
const own: Credentials = { clientId: "app", clientSecret: "s", scope: "api" };
client = connect([LOST, token("1"), done(), done(), refuse(401, "unauthenticated"), token("2"), done()], own);
for (let number = 0; number < 3; number++) await build(client);
const sent = requests.filter((request) => request.url.endsWith("/slides"));
assert.deepEqual(sent.map((request) => request.headers.get("Authorization")), ["Bearer 1", "Bearer 1", "Bearer 1", "Bearer 2"]);
assert.match(await requests[0]!.text(), /scope=api/);
client = connect([token("1", 1), done(), token("2"), done()], own);
await build(client);
await new Promise((resolve) => setTimeout(resolve, 600));
await build(client);
assert.equal(requests[3]?.headers.get("Authorization"), "Bearer 2");
await assert.rejects(build(connect([refuse(401, "unauthenticated")])), refused(401, "unauthenticated"));
const wrong = Response.json({ error: "invalid_client", error_description: "Wrong secret." }, { status: 401 });
await assert.rejects(build(connect([wrong], own)), /Wrong secret/);
const given = ["old", "new"];
await build(connect([refuse(401, "unauthenticated"), done()], { token: async () => given.shift() ?? "" }));
assert.equal(requests[1]?.headers.get("Authorization"), "Bearer new");

// Webhooks.
const SECRET = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const OTHER = `whsec_${Buffer.from("another").toString("base64")}`;
const BODY = JSON.stringify({ id: ID, type: "meeting.moved" });
const now = Math.floor(Date.now() / 1000);

function sign(body: string, at: number): Record<string, string> {
  const digest = createHmac("sha256", "0123456789abcdef0123456789abcdef").update(`msg_1.${at}.${body}`).digest("base64");
  return { "Webhook-Id": "msg_1", "Webhook-Timestamp": String(at), "webhook-signature": `v1,? v1a,AAAA v1,${digest}` };
}

assert.equal((await webhooks.verify(new Headers(sign(BODY, now)), BODY, [OTHER, SECRET])).type, "meeting.moved");
assert.equal((await webhooks.verify(sign(BODY, now), new TextEncoder().encode(BODY), SECRET)).id, ID);
for (const [headers, body, secret] of [
  [sign(BODY, now), `${BODY} `, SECRET],
  [sign(BODY, now), BODY, OTHER],
  [sign(BODY, now - 302), BODY, SECRET],
  [sign(BODY, now + 302), BODY, SECRET],
  [{ ...sign(BODY, now), "Webhook-Timestamp": "soon" }, BODY, SECRET],
  [{}, BODY, SECRET],
] as const) {
  await assert.rejects(webhooks.verify(headers, body, secret), InvalidSignature);
}
console.log("walked: the rules");
