// The journey with @hey-api/openapi-ts: a template, a deck, its PDF, and a meeting.
import { readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import "./client";
import { beginOf, check, expect, last } from "./expect";
import * as api from "./meetdeck";

const file = new File([await readFile(expect(process.env["MEETDECK_TEMPLATE"]))], "review.pptx");
const name = `hey-api ${randomUUID()}`;

const stored = await api.uploadContent({ body: { file } });
const { contentId, slideLocation: uploaded } = expect(stored.data, stored.error);
const made = await api.uploadTemplate({ body: { contentId, name, category: "Private" } });
const slide = expect(expect(made.data, made.error).sections[0]?.slides[0]);
const found = await api.validateTemplate({ body: { contentId } });
check(Array.isArray(found.data), found.error);

const deck = await api.buildDeck({
  body: { template: name, slides: [{ slideId: slide, data: { customer: { name: "Freja" }, years: [2025, 2026] } }] },
});
check((await beginOf(deck.data, 2)) === "PK", deck.error);
const generated = await api.generateDeck({ body: { template: name } });
const { slideLocation } = expect(generated.data, generated.error);
if (!process.env["MEETDECK_NO_RENDERER"]) {
  for (const location of [slideLocation, uploaded]) {
    const pdf = await api.makePdf({ body: { slideLocation: location } });
    check((await beginOf(pdf.data, 5)) === "%PDF-", pdf.error);
  }
}
await api.deleteTemplate({ path: { name } });

const topics = await api.listTopics({ query: { isCustomer: true } });
const topic = expect(expect(topics.data, topics.error)[0]).id;
const slots = await api.searchTimeSlots({
  query: { requireEmployeeParticipation: false, topic, meetingTypes: ["Online", "Telephone"] },
});
const slot = last(expect(slots.data, slots.error));
const { startDate, endDate, employeeId } = slot;
const held = await api.reserveTimeSlot({
  body: { timeSlot: { startDate, endDate, status: "Reserved", employeeId }, token: randomUUID() },
});
const timeSlotId = expect(held.data, held.error).id;
const booked = await api.createMeeting({
  body: { employeeId, customerId: "C-1001", crmId: "CRM-1001", timeSlotId, topicId: topic, type: slot.meetingType },
});
const path = { meetingId: expect(booked.data, booked.error).id };
const changed = await api.updateMeeting({ path, body: [{ op: "replace", path: "/title", value: "Annual review" }] });
check(changed.data?.title === "Annual review", changed.error);
const calendar = await api.makeMeetingCalendar({ path, body: { title: "Your review" } });
check(expect(calendar.data, calendar.error).startsWith("BEGIN:VCALENDAR"), "a calendar");
const taken = await api.createMeeting({
  body: { employeeId, customerId: "C-1002", crmId: "CRM-1002", startDate, endDate },
});
check(taken.error?.code === "time_slot_taken", taken.data);
const cancelled = await api.cancelMeeting({ path });
check(cancelled.response?.status === 204, cancelled.error);
console.log("walked: a template, a deck, its PDF, a meeting");
