// The journey with openapi-fetch: a template, a deck, its PDF, and a meeting.
import { readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { asForm, client } from "./client.ts";
import { beginOf, check, expect, last } from "./expect.ts";

const template = new File([await readFile(expect(process.env["MEETDECK_TEMPLATE"]))], "review.pptx");
const file = template as unknown as string;
const name = `openapi-fetch ${randomUUID()}`;

const uploaded = await client.POST("/api/v3/present/templates", {
  body: { file, name, category: "Private" },
  bodySerializer: asForm,
});
const slide = expect(expect(uploaded.data, uploaded.error).sections[0]?.slides[0]);
const stored = await client.POST("/api/v3/present/contents", { body: { file }, bodySerializer: asForm });
const { contentId } = expect(stored.data, stored.error);
const again = await client.POST("/api/v3/present/templates", { body: { contentId, name } });
check(again.response.status === 200, again.error);
const found = await client.POST("/api/v3/present/templates/validation", { body: { contentId } });
check(Array.isArray(found.data), found.error);

const deck = await client.POST("/api/v3/present/slides", {
  body: { template: name, slides: [{ slideId: slide, data: { customer: { name: "Freja" }, years: [2025, 2026] } }] },
  parseAs: "blob",
});
check((await beginOf(deck.data, 2)) === "PK", deck.error);
const generated = await client.POST("/api/v3/present/slides/generate", { body: { template: name } });
const { slideLocation } = expect(generated.data, generated.error);
if (!process.env["MEETDECK_NO_RENDERER"]) {
  const pdf = await client.POST("/api/v3/present/slides/pdf", { body: { slideLocation }, parseAs: "blob" });
  check((await beginOf(pdf.data, 5)) === "%PDF-", pdf.error);
}
await client.DELETE("/api/v3/present/templates/{name}", { params: { path: { name } }, parseAs: "text" });

const topics = await client.GET("/api/v3/booking/meeting-topics", { params: { query: { isCustomer: true } } });
const topic = expect(expect(topics.data, topics.error)[0]).id;
const slots = await client.GET("/api/v3/booking/time-slots/available", {
  params: { query: { requireEmployeeParticipation: false, topic, meetingTypes: ["Online", "Telephone"] } },
});
const slot = last(expect(slots.data, slots.error));
const { startDate, endDate, employeeId } = slot;
const held = await client.POST("/api/v3/booking/time-slots/reserve", {
  body: { timeSlot: { startDate, endDate, status: "Reserved", employeeId }, token: randomUUID() },
});
const timeSlotId = expect(held.data, held.error).id;
const booked = await client.POST("/api/v3/booking/meetings", {
  body: { employeeId, customerId: "C-1001", crmId: "CRM-1001", timeSlotId, topicId: topic, type: slot.meetingType },
});
const meetingId = expect(booked.data, booked.error).id;
const path = { meetingId };
const changed = await client.PATCH("/api/v3/booking/meetings/{meetingId}", {
  params: { path },
  body: [{ op: "replace", path: "/title", value: "Annual review" }],
});
check(changed.data?.title === "Annual review", changed.error);
const calendar = await client.POST("/api/v3/booking/meetings/{meetingId}/ical", {
  params: { path },
  body: { title: "Your review" },
  parseAs: "text",
});
check(expect(calendar.data, calendar.error).startsWith("BEGIN:VCALENDAR"), "a calendar");
const taken = await client.POST("/api/v3/booking/meetings", {
  body: { employeeId, customerId: "C-1002", crmId: "CRM-1002", startDate, endDate },
});
check(taken.error?.code === "time_slot_taken", taken.data);
const cancelled = await client.DELETE("/api/v3/booking/meetings/{meetingId}", { params: { path } });
check(cancelled.response.status === 204, cancelled.error);
console.log("walked: a template, a deck, its PDF, a meeting");
