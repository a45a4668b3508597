import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '../catalogue/index.ts';
import type { CityCosts } from './measures/city.ts';

/**
 * `node bench/sizing.ts`: writes the sizing table of both handbooks of operations from what `npm run bench -- city` measured last
 * (docs/bench/city.json). Measured: processor a message, bytes a reading, memory a connection. Computed from it:
 * everything by the number of lamps.
 */
const root = join(import.meta.dirname, '..');
const costs = JSON.parse(readFileSync(join(root, 'docs/bench/city.json'), 'utf8')) as CityCosts;
const report = families.find(({ key }) => key === 'single-lamp-controller')?.report;
const litSeconds = report?.lit ?? 900;
const unlitSeconds = report?.unlit ?? 3600;
/** Half of the day lit; a full reading after every switch; at dusk all within five minutes. */
const perDay = 43_200 / litSeconds + 43_200 / unlitSeconds + 2;
const duskSeconds = 300;
const gigabytes = (bytes: number) =>
  bytes >= 1e12
    ? `${(bytes / 1e12).toFixed(1)} TB`
    : bytes >= 1e9
      ? `${(bytes / 1e9).toFixed(0)} GB`
      : `${(bytes / 1e6).toFixed(0)} MB`;

const rows = [10_000, 100_000, 1_000_000].map((lamps) => {
  const micros = costs.serverMicros + costs.databaseMicros;
  const [lit, dusk] = [lamps / litSeconds, lamps / duskSeconds];
  const core = (perSecond: number) => `${((perSecond * micros) / 1e4).toFixed(perSecond * micros < 1e5 ? 1 : 0)} %`;
  const daily = lamps * perDay * costs.bytesPerReading;
  return [
    lamps.toLocaleString('en'),
    lit.toFixed(0),
    core(lit),
    dusk.toFixed(0),
    core(dusk),
    ((lamps * perDay) / 1e6).toFixed(1),
    gigabytes(daily),
    gigabytes(daily * 90),
    gigabytes(daily * 400),
    gigabytes(lamps * costs.connectionBytes),
  ];
});
const busy = costs.load !== undefined && costs.load > 3;
const busyEnglish = `The machine had other work at the same time (load ${costs.load?.toFixed(0)}): measure again on a quiet one.`;
const busyChinese = `测量时机器另有负载（${costs.load?.toFixed(0)}）：请在空闲的机器上再测。`;
const cells = rows.map((row) => `| ${row.join(' | ')} |`);
const english = [
  `Measured on ${costs.day} (${costs.machine}) with ${costs.registered.toLocaleString('en')} registered devices, 10,000 of them connected, ${costs.perSecond.toFixed(0)} messages of eight values a second for ${costs.seconds} s: a message takes ${costs.serverMicros.toFixed(0)} µs of processor in the`,
  `server with its broker and ${costs.databaseMicros.toFixed(0)} µs in the database; a reading takes ${costs.bytesPerReading.toFixed(0)} bytes with its indexes; a connection ${(costs.connectionBytes / 1024).toFixed(0)} KiB; the server had ${gigabytes(costs.memoryBytes)} in the end.${busy ? ` ${busyEnglish}` : ''}`,
  '',
  `Computed from that, for lamps that report every ${litSeconds / 60} minutes while lit, every ${unlitSeconds / 60} minutes else, and within ${duskSeconds / 60} minutes after dusk once more:`,
  '',
  '| Lamps | Messages/s lit | of one core | at dusk | of one core | Million readings a day | Bytes a day | 90 days | 400 days | Memory if each connects itself |',
  '|---|---|---|---|---|---|---|---|---|---|',
  ...cells,
].join('\n');
const chinese = [
  `${costs.day} 实测（${costs.machine}）：登记 ${costs.registered.toLocaleString('en')} 台设备，连接 10,000 台，每秒 ${costs.perSecond.toFixed(0)} 条消息，每条八个值，持续 ${costs.seconds} 秒。每条消息在服务端（含消息服务器）占处理器 ${costs.serverMicros.toFixed(0)} µs，`,
  `在数据库占 ${costs.databaseMicros.toFixed(0)} µs；每条读数连同索引 ${costs.bytesPerReading.toFixed(0)} 字节；每个连接 ${(costs.connectionBytes / 1024).toFixed(0)} KiB；结束时服务端占内存 ${gigabytes(costs.memoryBytes)}。${busy ? busyChinese : ''}`,
  '',
  `由此推算：亮灯时每 ${litSeconds / 60} 分钟上报，其余时间每 ${unlitSeconds / 60} 分钟，天黑后 ${duskSeconds / 60} 分钟内再报一次。`,
  '',
  '| 灯数 | 亮灯时消息/秒 | 占一个核 | 天黑时 | 占一个核 | 每天百万读数 | 每天字节 | 90 天 | 400 天 | 每盏各自连接所占内存 |',
  '|---|---|---|---|---|---|---|---|---|---|',
  ...cells,
].join('\n');

const [begin, end] = ['<!-- sizing: written by bench/sizing.ts -->', '<!-- /sizing -->'];
for (const [name, table] of [
  ['operations.md', english],
  ['operations.zh-CN.md', chinese],
] as const) {
  const file = join(root, 'docs', name);
  const text = readFileSync(file, 'utf8');
  if (!text.includes(begin) || !text.includes(end))
    throw new Error(`docs/${name} has no place for the table (${begin} … ${end})`);
  writeFileSync(
    file,
    `${text.slice(0, text.indexOf(begin) + begin.length)}\n${table}\n${text.slice(text.indexOf(end))}`,
  );
}
