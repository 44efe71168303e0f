/** Verifies what the service sends to webhooks, by the Standard Webhooks specification. */

import { InvalidSignature } from "./problems.js";
import type { components } from "./schema.js";

const decode = (text: string) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/**
 * Return the event of a delivery. Throws InvalidSignature.
 *
 * @param headers The headers of the request.
 * @param body The body as it arrived, not read and written again.
 * @param secret The webhook's `whsec_…`; several while it is rotated.
 * @param tolerance How many seconds a delivery may be old, or ahead.
 */
export async function verify(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  secret: string | readonly string[],
  tolerance = 300,
): Promise<components["schemas"]["ShownEvent"]> {
  const given = headers instanceof Headers ? headers : readHeaders(headers);
  const [id, at, signatures] = ["id", "timestamp", "signature"].map((name) => given.get(`webhook-${name}`));
  if (!id || !at || !signatures || !/^\d+$/.test(at)) {
    throw new InvalidSignature("webhook-id, webhook-timestamp or webhook-signature is missing or malformed.");
  }
  const age = Date.now() / 1000 - Number(at);
  if (Math.abs(age) > tolerance) {
    throw new InvalidSignature(`It was sent ${Math.round(age)} seconds ago; at most ${tolerance} are accepted.`);
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const message = new TextEncoder().encode(`${id}.${at}.${text}`);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  for (const each of typeof secret === "string" ? [secret] : secret) {
    const key = await crypto.subtle.importKey("raw", decode(each.replace(/^whsec_/, "")), algorithm, false, ["verify"]);
    for (const [version, signature] of signatures.split(" ").map((one) => one.split(","))) {
      if (version === "v1" && signature && (await crypto.subtle.verify(algorithm, key, tryDecode(signature), message))) {
        return JSON.parse(text);
      }
    }
  }
  throw new InvalidSignature("No signature matches: the secret is another webhook's, or the body was altered.");
}

function readHeaders(members: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}

function tryDecode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return decode(text);
  } catch {
    return new Uint8Array();
  }
}
