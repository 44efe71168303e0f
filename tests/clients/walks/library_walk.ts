// The journey with our TypeScript library, beyond its README: pages, holds, events.
import assert from "node:assert/strict";

import { etagOf, isProblem, Meetdeck, type Schemas } from "@meetdeck/client";

function connect(who: "CLIENT" | "ADMIN"): Meetdeck {
  return new Meetdeck({
    baseUrl: `${process.env["MEETDECK"]}/api/v3/`,
    key: process.env["MEETDECK_KEY"] ?? "",
    clientId: process.env[`MEETDECK_${who}_ID`] ?? "",
    clientSecret: process.env[`MEETDECK_${who}_SECRET`] ?? "",
  });
}

async function collect<T>(items: AsyncIterable<T>, most = Infinity): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) if (found.push(item) >= most) break;
  return found;
}

const client = connect("CLIENT");
const admin = connect("ADMIN");
const [topic] = await client.get("/booking/meeting-topics", { params: { query: { isCustomer: true } } });
assert.ok(topic);

async function findSlot(): Promise<Schemas["AvailableSlot"]> {
  const query = { requireEmployeeParticipation: false, topic: topic!.id };
  const slot = (await client.get("/booking/time-slots/available", { params: { query } })).at(-1);
  assert.ok(slot);
  return slot;
}

const describe = (slot: Schemas["AvailableSlot"], title: string) => ({
  employeeId: slot.employeeId,
  customerId: "C-2002",
  type: slot.meetingType,
  title,
});
const read = (timeSlotId: string) => client.get("/booking/time-slots/{timeSlotId}", { params: { path: { timeSlotId } } });

// Pages: by number, by a place, and in an envelope; of meetings below, by a link.
const names = (await client.get("/booking/employees")).map((each) => each.name);
const paged = await collect(client.iterate("/booking/employees", { params: { query: { limit: 2 } } }));
assert.deepEqual(paged.map((each) => each.name), names);
for (let number = 0; number < 3; number++) {
  await client.post("/booking/config/labels", { body: { labelName: `Paged ${crypto.randomUUID()}` } });
}
const audited = (await admin.get("/audit-log", { params: { query: { limit: 1000 } } })).items.map((each) => each.id);
const entries = await collect(admin.iterate("/audit-log", { params: { query: { limit: 1 } } }));
assert.deepEqual(entries.map((each) => each.id), audited);
const labels = (await client.get("/booking/config/labels", { params: { query: { pageSize: 200 } } })).items;
const listed = await collect(client.iterate("/booking/config/labels", { params: { query: { pageSize: 1 } } }));
assert.deepEqual(listed, labels);
assert.ok(Math.min(audited.length, labels.length) >= 3);

// A hold is given back, unless it was booked; by another call, too.
let slot = await findSlot();
const given = await client.withHold(slot, async (hold) => {
  assert.equal((await read(hold.id)).status, "Reserved");
  const body = { ...describe(slot, "Too late"), startDate: slot.startDate, endDate: slot.endDate };
  const late = client.post("/booking/meetings", { body });
  await assert.rejects(late, (error) => isProblem(error, "time_slot_taken"));
  return hold;
});
assert.equal((await read(given.id)).status, "Expired");
const elsewhere = await client.withHold(slot, (hold) =>
  client.post("/booking/meetings", { body: { ...describe(slot, "By another call"), timeSlotId: hold.id } }),
);
assert.equal((await read(elsewhere.timeSlotId)).status, "Booked");
await assert.rejects(client.withHold(await findSlot(), () => Promise.reject(new Error("ours"))), /ours/);

// It is renewed meanwhile.
const wait = globalThis.setTimeout;
globalThis.setTimeout = ((call: () => void, ms: number) => wait(call, ms > 100_000 ? 300 : ms)) as typeof setTimeout;
{
  await using hold = await client.hold(await findSlot());
  const until = hold.slot.expiresAt;
  await new Promise((resolve) => wait(resolve, 1000));
  assert.ok(hold.slot.expiresAt > until);
  slot = await findSlot();
}
globalThis.setTimeout = wait;

// Events: each cursor continues right after its event, also in the middle of a page.
const cursor = (await admin.get("/events", { params: { query: { after: "latest" } } })).next;
for (let number = 0; number < 4; number++) {
  const free = await findSlot();
  const meeting = await client.withHold(free, (hold) => hold.book(describe(free, `Number ${number}`)));
  const same = await client.get("/booking/meetings/{meetingId}", { params: { path: { meetingId: meeting.id } } });
  assert.equal(etagOf(same), etagOf(meeting));
}
const ids = (await client.get("/booking/meetings")).map((each) => each.id);
const pages = await collect(client.iterate("/booking/meetings", { params: { query: { pageSize: 1 } } }));
assert.deepEqual(pages.map((each) => each.id), ids);
assert.ok(ids.length >= 3);
const seen = await collect(admin.follow(cursor, ["meeting.created"]), 4);
for (const [index, { cursor: place }] of seen.entries()) {
  if (index === 3) break;
  const again = await collect(admin.follow(place, ["meeting.created"]), 3 - index);
  assert.deepEqual(again.map(({ event }) => event.id), seen.slice(index + 1).map(({ event }) => event.id));
}
const gone = admin.follow("latest", [], AbortSignal.timeout(500));
await assert.rejects(collect(gone), /timeout/i);
await assert.rejects(client.get("/events"), (error) => isProblem(error, "role_missing", "forbidden"));
console.log("walked: pages, holds, events");
