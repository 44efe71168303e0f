// The journey with orval: a template, a deck, its PDF, and a meeting.
import { readFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { beginOf, check, expect, last } from "./expect";
import * as api from "./meetdeck";

/** Return the resource of an answer; a Problem ends the walk. */
function take<A extends { status: number; data: unknown }, S extends number>(answer: A, ...statuses: S[]) {
  check(statuses.includes(answer.status as S), answer.data);
  return answer.data as Extract<A, { status: S }>["data"];
}

const file = new File([await readFile(expect(process.env["MEETDECK_TEMPLATE"]))], "review.pptx");
const name = `orval ${randomUUID()}`;

const { contentId, slideLocation: uploaded } = take(await api.uploadContent({ file }), 201);
const made = take(await api.uploadTemplate({ contentId, name, category: "Private" }), 201);
const slide = expect(made.sections[0]?.slides[0]);
check(Array.isArray(take(await api.validateTemplate({ contentId }), 200)), "findings");

const years = { customer: { name: "Freja" }, years: [2025, 2026] };
const deck = take(await api.buildDeck({ template: name, slides: [{ slideId: slide, data: years }] }), 200);
check((await beginOf(deck, 2)) === "PK", "a deck");
const { slideLocation } = take(await api.generateDeck({ template: name }), 200);
if (!process.env["MEETDECK_NO_RENDERER"]) {
  for (const location of [slideLocation, uploaded]) {
    check((await beginOf(take(await api.makePdf({ slideLocation: location }), 200), 5)) === "%PDF-", "a PDF");
  }
}
take(await api.deleteTemplate(name), 200);

const topic = expect(take(await api.listTopics({ isCustomer: true }), 200)[0]).id;
const asked = { requireEmployeeParticipation: false, topic, meetingTypes: ["Online" as const] };
const slot = last(take(await api.searchTimeSlots(asked), 200));
const { startDate, endDate, employeeId } = slot;
const timeSlot = { startDate, endDate, status: "Reserved" as const, employeeId };
const timeSlotId = take(await api.reserveTimeSlot({ timeSlot, token: randomUUID() }), 201).id;
const who = { employeeId, customerId: "C-1001", crmId: "CRM-1001" };
const booked = take(await api.createMeeting({ ...who, timeSlotId, topicId: topic, type: slot.meetingType }), 201);
const changes = [{ op: "replace" as const, path: "/title", value: "Annual review" }];
check(take(await api.updateMeeting(booked.id, changes), 200).title === "Annual review", "a new title");
const calendar = take(await api.makeMeetingCalendar(booked.id, { title: "Your review" }), 200);
check(calendar.startsWith("BEGIN:VCALENDAR"), "a calendar");
const taken = take(await api.createMeeting({ ...who, startDate, endDate }), 409);
check(taken.code === "time_slot_taken", taken);
take(await api.cancelMeeting(booked.id), 204);
console.log("walked: a template, a deck, its PDF, a meeting");
