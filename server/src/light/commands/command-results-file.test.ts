import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { commandOffice } from '../../testing/command-office.ts';
import { sheetsHere } from '../../testing/sheets.ts';
import { commandExportTask } from './index.ts';

// 2026-11-21 20:00 in Hangzhou.
const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'));
const { app, db, clock, now, ask, quietLamp, dispatcher } = office;
const quietLamps = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => quietLamp()))).toSorted((a, b) => a.id - b.id);

describe('the file of the results', () => {
  const task = commandExportTask({ db, sheets: sheetsHere(app), areasOf: () => Promise.resolve('all' as const) })[
    'export.command'
  ];
  const reader = { language: 'en-US' as const, timezoneOffset: -480, accountId: 1 };
  it('has every device in words of the reader, in its time, and nothing that a spreadsheet calculates', async () => {
    const lamps = await quietLamps(3);
    const { id } = (await ask({ deviceIds: lamps.map((one) => one.id), command: 'on' })).body;
    await dispatcher.send();
    await lamps[0]?.refuse(id, '=cmd()');
    await lamps[1]?.accept(id);
    await clock.advance(1000);
    await lamps[1]?.report(100, true);
    const params = { commandId: id, format: 'csv' as const, states: null, workAreaId: null };
    expect(await task.check(params, reader)).toEqual({ total: 3 });
    const counts: number[] = [];
    const file = await task.run(params, reader, (done) => counts.push(done), new AbortController().signal);
    const lines = (await text(file?.content ?? Readable.from([]))).replace('\ufeff', '').trimEnd().split('\r\n');
    expect([file?.name, counts, lines.length]).toEqual([`Command results ${id}.csv`, [3], 4]);
    expect(lines[0]).toMatch(/^Device code,Device name,Result,/);
    const at = (ms: number) => timeText(ms).slice(0, 19).replace('T', ' ');
    expect(lines[1]).toContain(`Failed,'=cmd(),${at(now() - 1000)}`);
    expect(lines[2]).toContain(`,100,100,closed,`);
    expect(lines[3]).toMatch(/,Sent,,/);
    expect(await task.check({ ...params, states: ['failed'] }, reader)).toEqual({ total: 1 });
    const sheet = await task.run({ ...params, format: 'xlsx' }, reader, () => undefined, new AbortController().signal);
    expect((await buffer(sheet?.content ?? Readable.from([]))).subarray(0, 2).toString()).toBe('PK');
    await expect(task.check({ ...params, commandId: 999_999 }, reader)).rejects.toThrow();
  });

  it('repeats what a device says as it is, whatever it says', async () => {
    const lamp = await quietLamp();
    const { id } = (await ask({ deviceIds: [lamp.id], command: 'on' })).body;
    await dispatcher.send();
    await lamp.refuse(id, 'constructor');
    for (const format of ['csv', 'xlsx'] as const) {
      const file = await task.run(
        { commandId: id, format, states: null, workAreaId: null },
        reader,
        () => undefined,
        new AbortController().signal,
      );
      const bytes = await buffer(file?.content ?? Readable.from([]));
      const remark =
        format === 'csv' ? bytes.toString().split('\r\n')[1]?.split(',')[3] : (await readSheet(bytes))[1]?.[3];
      expect(remark, format).toBe('constructor');
    }
  });
});
