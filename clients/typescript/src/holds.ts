/** A held time that is renewed while it is needed, and given back unless it was booked. */

import type { Meetdeck, Schemas } from "./client.js";
import { headersOf } from "./headers.js";
import { isProblem } from "./problems.js";

type Slot = Schemas["AvailableSlot"] | Schemas["SlotToReserve"];

const SHARE = 0.8; // how much of a reservation's time passes before it is renewed
const dispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");

export class Hold {
  /** The token that holds the time. */
  readonly token: string = crypto.randomUUID();
  /** The meeting that it was booked for. */
  booked: Schemas["BookedMeeting"] | undefined;
  /** The error of the last renewal: the time ends by itself at `slot.expiresAt`. */
  lost: unknown;
  #slot: Schemas["ReservedTimeSlot"] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewing: Promise<void> | undefined;

  private constructor(
    private readonly client: Meetdeck,
    private readonly wanted: Schemas["SlotToReserve"],
  ) {}

  static async begin(client: Meetdeck, slot: Slot, topicId?: string): Promise<Hold> {
    const hold = new Hold(client, makeWanted(slot, topicId));
    await hold.#reserve();
    return hold;
  }

  /** The time slot's id, the `timeSlotId` of a meeting. */
  get id(): string {
    return this.slot.id;
  }

  /** The reservation, as it was last renewed. */
  get slot(): Schemas["ReservedTimeSlot"] {
    return this.#slot!; // `begin` has reserved it
  }

  /** Book the held time; return the meeting. */
  async book(meeting: Schemas["CreateMeeting"]): Promise<Schemas["BookedMeeting"]> {
    this.booked = await this.client.post("/booking/meetings", { body: { ...meeting, timeSlotId: this.id } });
    return this.booked;
  }

  /** Give the time back, unless it was booked. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#renewing;
    clearTimeout(this.#timer);
    if (this.booked !== undefined) return;
    const params = { path: { timeSlotId: this.id }, query: { token: this.token } };
    await this.client.delete("/booking/time-slots/{timeSlotId}", { params }).catch((error: unknown) => {
      if (!isProblem(error, "time_slot_held")) this.lost = error; // booked by another call, or it ends by itself
    });
  }

  [dispose](): Promise<void> {
    return this.end();
  }

  async #reserve(): Promise<void> {
    const body = { timeSlot: this.wanted, token: this.token };
    this.#slot = await this.client.post("/booking/time-slots/reserve", { body });
    // By the service's clock: this machine's may be wrong.
    const now = Date.parse(headersOf(this.#slot)?.get("Date") ?? "") || Date.now();
    const left = Math.max(Date.parse(this.#slot.expiresAt) - now, 1000);
    this.#timer = setTimeout(() => {
      if (this.booked !== undefined) return;
      this.#renewing = this.#reserve().catch((error: unknown) => {
        this.lost = error;
      });
    }, SHARE * left);
    (this.#timer as { unref?: () => void }).unref?.(); // it keeps no process alive
  }
}

function makeWanted(slot: Slot, topicId: string | undefined): Schemas["SlotToReserve"] {
  if ("status" in slot) return slot;
  const { startDate, endDate, employeeId, additionalEmployees, meetingType } = slot;
  return {
    startDate,
    endDate,
    employeeId,
    status: "Reserved",
    ...(additionalEmployees && { additionalEmployees }),
    ...(topicId && { topicId, meetingType }),
  };
}
