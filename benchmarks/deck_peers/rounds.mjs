// Measures one candidate in this process, as rounds.py does: `node rounds.mjs CANDIDATE < job.json > measured.json`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FEWEST_ROUNDS = 3;
const FORGET_PEAK = '5'; // proc(5), clear_refs: the peak begins anew at what is resident now

function resetPeak() {
  if (!existsSync('/proc/self/clear_refs')) return null;
  writeFileSync('/proc/self/clear_refs', FORGET_PEAK);
  return residentKb('VmRSS');
}

function residentKb(field) {
  if (!existsSync('/proc/self/status')) return null;
  const match = readFileSync('/proc/self/status', 'utf8').match(new RegExp(`^${field}:\\s*(\\d+) kB`, 'm'));
  return match ? Number(match[1]) : null;
}

async function time(build) {
  const start = performance.now();
  const deck = await build();
  return [(performance.now() - start) / 1e3, deck];
}

async function repeat(build, seconds, fewest) {
  const times = [];
  for (let sum = 0; times.length < fewest || sum < seconds; sum += times.at(-1)) {
    times.push((await time(build))[0]);
  }
  return times;
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const job = JSON.parse(readFileSync(0, 'utf8'));
const template = readFileSync(job.template);
const { cold } = await import(`./${process.argv[2]}.mjs`);
const build = cold(job, template);

const levelKb = resetPeak();
const [firstSeconds, deck] = await time(build);
const peakKb = residentKb('VmHWM');
writeFileSync(job.deck, deck);
await repeat(build, job.seconds / 2, 1);
const cpuBefore = process.cpuUsage();
const times = await repeat(build, job.seconds, FEWEST_ROUNDS);
const { user, system } = process.cpuUsage(cpuBefore);
const cpuShare = (user + system) / 1e6 / times.reduce((sum, seconds) => sum + seconds);
const measured = { firstSeconds, seconds: median(times), rounds: times.length, cpuShare, levelKb, peakKb };
// The makers may log to stdout themselves: the last line is ours.
console.log(`\n${JSON.stringify(measured)}`);
