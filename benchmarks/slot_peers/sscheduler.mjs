// Finds each advisor's slots with @ssense/sscheduler: `TZ=… node sscheduler.mjs < job.json > found.json`. It knows no
// time zone but the process's.
import { readFileSync } from 'node:fs';
import sscheduler from '@ssense/sscheduler';

const { search, schedules } = JSON.parse(readFileSync(0, 'utf8'));
const scheduler = new sscheduler.Scheduler();

const before = process.cpuUsage();
const found = schedules.map((schedule) => scheduler.getAvailability({ ...search, schedule }));
const { user, system } = process.cpuUsage(before);
const seconds = (user + system) / 1e6;

const starts = found.map((days) =>
  Object.entries(days).flatMap(([day, times]) =>
    times.filter(({ available }) => available).map(({ time }) => new Date(`${day}T${time}`).toISOString()),
  ),
);
console.log(JSON.stringify({ seconds, starts }));
