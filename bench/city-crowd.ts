import { setTimeout as sleep } from 'node:timers/promises';
import { nameOf, secret } from './devices-signed.ts';
import { messageBytes, openTalker, type Talker } from './mqtt-talker.ts';
import { percentile } from './percentile.ts';

/**
 * The devices of a city, in a process of their own: `port first count perSecond seconds`. Each is really connected and
 * sends a reading of eight values every count / perSecond seconds, whatever became of the others'. Prints one line of
 * JSON when it is over.
 */
const [port = 0, first = 0, count = 0, perSecond = 0, seconds = 0] = process.argv.slice(2).map(Number);
const tickMs = 10;

const talkers: Talker[] = [];
for (let at = 0; at < count; at += 100) {
  talkers.push(
    ...(await Promise.all(
      Array.from({ length: Math.min(100, count - at) }, (_, index) => {
        const name = nameOf(first + at + index);
        return openTalker({
          port,
          clientId: name,
          username: name,
          password: secret,
          subscribe: [`lampyris/v1/devices/${first + at + index}/commands`],
        });
      }),
    )),
  );
}
process.stdout.write(`${JSON.stringify({ connected: talkers.length })}\n`);

const slice = Math.max(1, seconds / 10);
const waits: number[][] = [];
let sent = 0;
let acknowledged = 0;
let skipped = 0;
const busy = new Set<number>();
const begun = performance.now();
const cpu = process.cpuUsage();
for (let tick = 1; performance.now() - begun < seconds * 1000; tick += 1) {
  const due = Math.floor(((performance.now() - begun) / 1000) * perSecond);
  for (; sent + skipped < due;) {
    const index = (sent + skipped) % count;
    // A device whose last message is still under way has nothing to send with: that is lag.
    if (busy.has(index)) skipped += 1;
    else say(index);
  }
  await sleep(Math.max(0, begun + tick * tickMs - performance.now()));
}
const wall = (performance.now() - begun) / 1000;
const used = process.cpuUsage(cpu);
for (let tries = 0; acknowledged < sent && tries < 600; tries += 1) await sleep(100);
process.stdout.write(
  `${JSON.stringify({
    sent,
    acknowledged,
    skipped,
    wall,
    cpuSeconds: (used.user + used.system) / 1e6,
    slices: waits.map((list) => ({ p50: percentile(list, 0.5), p99: percentile(list, 0.99) })),
    // Without the first tenth, in which everything is new, and the middle: four tenths each.
    early: percentile(waits.slice(1, 5).flat(), 0.99),
    late: percentile(waits.slice(-4).flat(), 0.99),
  })}\n`,
);
process.exit(0);

function say(index: number): void {
  const talker = talkers[index];
  if (!talker) return;
  sent += 1;
  busy.add(index);
  const at = performance.now();
  const now = new Date().toISOString();
  const values = {
    level: 60,
    power: 91.2,
    relay: true,
    voltage: 226.8,
    current: 0.402,
    energy: sent / 10,
    powerFactor: 0.958,
    temperature: 41.2,
  };
  void talker
    .say(
      [
        messageBytes(
          `lampyris/v1/devices/${first + index}/readings`,
          JSON.stringify({ sentAt: now, readings: [{ at: now, values }] }),
          1,
        ),
      ],
      1,
    )
    .then(() => {
      acknowledged += 1;
      busy.delete(index);
      (waits[Math.min(9, Math.floor((at - begun) / 1000 / slice))] ??= []).push(performance.now() - at);
    });
}
