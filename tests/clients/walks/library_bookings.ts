// Books as many meetings as it is told, through a connection that is cut again and again, several at a time.
import { type Attempt, Meetdeck } from "@meetdeck/client";

const [count = "", customerId = ""] = process.argv.slice(2);
const HALF_AN_HOUR = 1_800_000;
const first = new Date();
first.setUTCHours(0, 0, 0, 0);
first.setUTCDate(first.getUTCDate() + 60);

const attempts: Attempt[] = [];
const client = new Meetdeck({
  baseUrl: process.env["MEETDECK"] ?? "",
  key: process.env["MEETDECK_KEY"] ?? "",
  clientId: process.env["MEETDECK_CLIENT_ID"] ?? "",
  clientSecret: process.env["MEETDECK_CLIENT_SECRET"] ?? "",
  retries: { most: 30, firstPause: 0.01, longestPause: 0.05 },
  onAttempt: (attempt) => attempts.push(attempt),
});
const employees = await client.get("/booking/employees");
const ids = new Set<string>();

async function book(number: number): Promise<void> {
  const start = first.getTime() + Math.floor(number / employees.length) * HALF_AN_HOUR;
  const meeting = await client.post("/booking/meetings", {
    body: {
      employeeId: employees[number % employees.length]?.id ?? "",
      customerId,
      startDate: new Date(start).toISOString(),
      endDate: new Date(start + HALF_AN_HOUR).toISOString(),
    },
  });
  ids.add(meeting.id);
}

const numbers = Array.from({ length: Number(count) }, (_, number) => number);
await Promise.all(
  Array.from({ length: 4 }, async () => {
    for (let number = numbers.pop(); number !== undefined; number = numbers.pop()) await book(number);
  }),
);
const lost = attempts.filter((attempt) => attempt.response === undefined).length;
const replayed = attempts.filter((attempt) => attempt.replayed).length;
console.log(`booked ${ids.size}; ${lost} answers lost, ${replayed} repeated by the service`);
