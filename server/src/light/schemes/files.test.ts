import ICAL from 'ical.js';
import { sql } from 'kysely';
import { readSheet } from 'read-excel-file/node';
import { expect, test } from 'vitest';
import { exampleProgramme, exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import { path, schemeOffice } from './testing/office.ts';

const { call, db, east, frozen } = await schemeOffice(new Date('2027-06-01T04:00:00Z'));
await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai'`.execute(db);

const yearly = (date: string, label: string, programme: number) => ({
  ...{ programme, label, enabled: true },
  when: [{ kind: 'yearly' as const, from: date, to: date, otherwise: 'none' as const }],
});
const leap: SchemeContent = {
  ...exampleScheme(),
  calendar: { rules: [yearly('02-29', '闰日', 2), yearly('12-31', '跨年', 2)], default: 1 },
};

interface Event {
  readonly from: string;
  readonly to: string;
  readonly name: string;
}
function eventsOf(text: string): Event[] {
  const root = new ICAL.Component(ICAL.parse(text));
  return root.getAllSubcomponents('vevent').map((component) => {
    const { startDate, endDate, summary } = new ICAL.Event(component);
    expect([startDate.isDate, endDate.isDate]).toEqual([true, true]);
    return { from: startDate.toString(), to: endDate.toString(), name: summary };
  });
}

test('a calendar goes out as all-day events, one for each span of days', async () => {
  const { id } = await frozen(20, leap);
  const reply = await call(`${path}/${id}/versions/1/calendar-file`);
  expect(reply.status).toBe(200);
  expect(reply.headers['content-type']).toContain('text/calendar');
  expect(reply.headers['content-disposition']).toMatch(/S-\d+-v1\.ics/);
  const text = reply.bytes.toString();
  const [common, other] = leap.programmes.map(({ name }) => name);
  // The end of an event is the day after; 29 February is in the span, the days around it are one.
  expect(eventsOf(text)).toEqual([
    { from: '2027-06-01', to: '2027-12-31', name: common },
    { from: '2027-12-31', to: '2028-01-01', name: other },
    { from: '2028-01-01', to: '2028-02-29', name: common },
    { from: '2028-02-29', to: '2028-03-01', name: other },
    { from: '2028-03-01', to: addDays('2027-06-01', 400), name: common },
  ]);
  // By the letter of the format: dates without a time, lines of 75 bytes that end in CR LF, stamps in UTC.
  expect(text).toMatch(
    /^BEGIN:VCALENDAR\r\n[^]*\r\nDTSTART;VALUE=DATE:20280229\r\nDTEND;VALUE=DATE:20280301\r\n[^]*\r\nEND:VCALENDAR\r\n$/,
  );
  expect(text).toMatch(/\r\nDTSTAMP:\d{8}T\d{6}Z\r\n/);
  const lines = text.split('\r\n');
  expect(lines.filter((line) => Buffer.byteLength(line) > 75 || line.includes('\n'))).toEqual([]);
  expect(new Set(lines.filter((line) => line.startsWith('UID:'))).size).toBe(5);
  // The same day gives the same bytes.
  expect((await call(`${path}/${id}/versions/1/calendar-file`)).bytes.toString()).toBe(text);
});

test('holidays in it are those of the country of its work area', async () => {
  await sql`INSERT INTO holiday_year (country, year, state, source, imported_at)
    VALUES ('CN', 2027, 'official', 'x', now()) ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO holiday (country, day, class, name)
    VALUES ('CN', '2027-10-01', 'public', '国庆节') ON CONFLICT DO NOTHING`.execute(db);
  const { id } = await frozen(20, {
    ...exampleScheme(),
    calendar: {
      rules: [
        { programme: 2, label: '国庆', enabled: true, when: [{ kind: 'holiday', class: 'public', name: '国庆节' }] },
      ],
      default: 1,
    },
  });
  const events = eventsOf((await call(`${path}/${id}/versions/1/calendar-file`)).bytes.toString());
  expect(events.map(({ from }) => from)).toContain('2027-10-01');
});

test('periods go out as a workbook, a row each, in the language of the caller', async () => {
  const { periods, ...programme } = exampleProgramme(40);
  const { id } = await frozen(20, {
    ...exampleScheme(),
    programmes: [
      {
        key: 7,
        name: '平日',
        programme: {
          ...programme,
          on: { at: 'sunset', offsetMinutes: -10, notBefore: '17:00', notAfter: null, light: null },
          periods: [
            ...periods,
            { start: { at: '05:00', offsetMinutes: 0 }, level: 90, pattern: 'all', rampSeconds: 30 },
          ],
        },
      },
    ],
    calendar: { rules: [], default: 7 },
  });
  const book = async (language: string) => {
    const reply = await call(`${path}/${id}/versions/1/periods-file`, { headers: { 'accept-language': language } });
    expect(reply.status).toBe(200);
    return readSheet(reply.bytes);
  };
  const [head, ...rows] = await book('en-US');
  const at = (title: string, row: (typeof rows)[number] | undefined) => row?.[(head ?? []).indexOf(title)];
  expect(rows).toHaveLength(3);
  expect(['No.', 'Programme', 'On', 'On: offset (min)', 'On: not before'].map((title) => at(title, rows[0]))).toEqual([
    ...[7, '平日', 'Sunset', -10, '17:00'],
  ]);
  expect(['Period', 'Start', 'Level (%)', 'Lamps lit', 'Ramp (s)'].map((title) => at(title, rows[2]))).toEqual([
    ...[3, '05:00', 90, 'All lamps', 30],
  ]);
  expect((await book('zh-CN'))[0]?.[1]).toBe('时段表名称');
});

test('files of a version are for those who see the scheme', async () => {
  const { id } = await frozen(21, leap);
  for (const file of ['calendar-file', 'periods-file']) {
    expect((await call(`${path}/${id}/versions/1/${file}`, { token: east })).status).toBe(403);
    expect((await call(`${path}/${id}/versions/9/${file}`)).status).toBe(404);
  }
});
