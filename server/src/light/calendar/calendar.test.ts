import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { getHolidays, previewCalendar } from '../../../../contract/light/calendar.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { Condition } from '../../../../catalogue/lighting/plan/scheme.ts';
import { testApp, type CallOptions } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { calendarRoutes, createCalendars, prepareHolidays } from './index.ts';

// 2026-11-30 in Shanghai.
const clock = testClock(new Date('2026-11-30T02:00:00Z'));
const app = await testApp({
  clock,
  routes: (parts) => calendarRoutes(createCalendars(parts)),
});
const { db } = app;
await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai' WHERE id = 1`.execute(db);
await sql`INSERT INTO work_area (id, work_code, work_name, time_zone)
  VALUES (30, 'JP', '東京', 'Asia/Tokyo'), (31, 'US', 'New York', 'America/New_York'), (32, 'X', 'X', 'Asia/Seoul')`.execute(
  db,
);
const { token } = await app.signIn({
  username: 'planner',
  level: 3,
  permissions: ['plan.query', 'plan.edit'],
  workAreas: [1, 30, 31],
});
const call = <T>(path: string, options: CallOptions = {}) => app.call<T>(path, { token, ...options });

type Year = ReplyOf<typeof getHolidays>;
type Preview = ReplyOf<typeof previewCalendar>;
interface Refused {
  code: number;
  params: { field: string; rule: string; message: string }[];
}

const yearOf = async (country: string, year: number): Promise<Year> =>
  (await call<Year>(`/api/v1/holidays?country=${country}&year=${year}`)).body;
const upload = <T = Refused>(file: string | Buffer, query: Record<string, string | number> = {}) =>
  call<T>(
    `/api/v1/holiday-imports?${new URLSearchParams(
      Object.entries({ country: 'CN', year: 2027, name: 'x', ...query }).map(([key, value]) => [key, String(value)]),
    ).toString()}`,
    { body: file, headers: { 'content-type': 'application/octet-stream' } },
  );
const problemsOf = ({ body }: { readonly body: Refused }): string[] =>
  body.params.map(({ field, rule }) => `${field} ${rule}`);
const rule = (...when: Condition[]) => ({ programme: 2, label: 'x', enabled: true, when });
const holiday = (of: Extract<Condition, { kind: 'holiday' }>['class'], name: string | null = null): Condition => ({
  kind: 'holiday',
  class: of,
  name,
});
const preview = <T = Preview>(when: readonly Condition[][], year: number, workAreaId: number | null = 1, more = {}) =>
  call<T>('/api/v1/calendars/preview', {
    body: {
      calendar: { default: 1, rules: when.map((conditions) => rule(...conditions)) },
      programmes: [1, 2],
      year,
      workAreaId,
      ...more,
    },
  });
const daysOf = ({ body }: { readonly body: Preview }, place = 0): string[] =>
  body.days.filter((day) => day.rule === place || day.others.includes(place)).map(({ day }) => day);

beforeAll(() => prepareHolidays(db, clock.now()));

describe('years that come with the program', () => {
  it('are whole and announced, with their makeup workdays', async () => {
    const { state, source, days } = await yearOf('CN', 2026);
    expect([state, source]).toEqual(['official', expect.stringMatching(/^chinese-days \d/)]);
    expect(days.filter(({ name }) => name === '春节').map(({ day, class: of }) => `${day} ${of}`)).toEqual([
      '2026-02-14 makeupWorkday',
      ...[15, 16, 17, 18, 19, 20, 21, 22, 23].map((day) => `2026-02-${day} public`),
      '2026-02-28 makeupWorkday',
    ]);
  });

  it.each([2027, 2028])('do not hold %i of China, which the library answers as ordinary days', async (year) => {
    expect(await yearOf('CN', year)).toEqual({
      country: 'CN',
      year,
      state: 'unknown',
      source: null,
      importedAt: null,
      days: [],
    });
  });

  it.each([
    ['FR', 2027, 'official', '2027-05-06 Ascension'],
    ['JP', 2027, 'official', '2027-03-22 春分の日 (振替休日)'],
    ['JP', 2028, 'estimated', '2028-01-01 元日'],
    ['KR', 2027, 'estimated', '2027-02-08 설날'],
    ['TW', 2027, 'estimated', '2027-06-09 端午節'],
  ])('hold %s %i as %s', async (country, year, state, day) => {
    const found = await yearOf(country, year);
    expect([found.state, found.source]).toEqual([state, expect.stringMatching(/^date-holidays \d/)]);
    expect(found.days.map((one) => `${one.day} ${one.name}`)).toContain(day);
  });

  it('are written once, anew with another version, and never over what people imported', async () => {
    expect((await upload<Year>('date,name\n2031-05-01,劳动节', { year: 2031, name: 'own.csv' })).status).toBe(201);
    await sql`UPDATE holiday_year SET source = 'own' WHERE country = 'CN' AND year = 2025 AND built_in`.execute(db);
    await sql`UPDATE holiday_year SET built_in = false, source = 'mine.ics' WHERE country = 'CN' AND year = 2024`.execute(
      db,
    );
    await sql`DELETE FROM holiday WHERE country = 'CN' AND day BETWEEN '2024-01-01' AND '2025-12-31'`.execute(db);
    await prepareHolidays(db, clock.now());
    expect((await yearOf('CN', 2025)).days.length).toBeGreaterThan(20);
    expect(await yearOf('CN', 2024)).toMatchObject({ source: 'mine.ics', days: [] });
    expect(await yearOf('CN', 2031)).toMatchObject({ source: 'own.csv', state: 'official' });
    const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM holiday_year
      WHERE imported_at <> ${clock.now()}`.execute(db);
    expect(rows[0]?.n).toBe(0);
  });
});

describe('a preview', () => {
  it('says for each day of the year what wins, and what holds too', async () => {
    const { status, body } = await preview(
      [[holiday('public')], [{ kind: 'yearly', from: '10-01', to: '10-08', otherwise: 'none' }]],
      2026,
    );
    expect([status, body.country, body.days.length]).toEqual([200, 'CN', 365]);
    expect(body.days.find(({ day }) => day === '2026-10-01')).toEqual({
      day: '2026-10-01',
      programme: 2,
      rule: 0,
      others: [1],
      holidays: [{ class: 'public', name: '国庆节' }],
      lunar: { month: 8, day: 21, leap: false },
    });
    expect(body.days.find(({ day }) => day === '2026-10-08')).toMatchObject({ programme: 2, rule: 1, others: [] });
    expect(body.days.find(({ day }) => day === '2026-11-30')).toMatchObject({ programme: 1, rule: null, holidays: [] });
    expect([body.years, body.unknown]).toEqual([
      [
        { year: 2026, state: 'official' },
        { year: 2027, state: 'unknown' },
      ],
      [],
    ]);
  });

  it('never lets a rule about holidays hold in a year that is not known, and says so', async () => {
    const reply = await preview(
      [[holiday('public')], [holiday('workday')], [{ kind: 'weekdays', days: [6, 7] }]],
      2028,
    );
    expect([daysOf(reply, 0), daysOf(reply, 1)]).toEqual([[], []]);
    expect(reply.body.days.length).toBe(366);
    expect(daysOf(reply, 2).length).toBe(106);
    expect(reply.body.unknown).toEqual([
      { rule: 0, kind: 'holiday', from: '2028-01-01', to: '2028-12-31', days: 366 },
      { rule: 1, kind: 'holiday', from: '2028-01-01', to: '2028-12-31', days: 366 },
    ]);
  });

  it('leaves only the last evening unanswered where the next year is not known', async () => {
    const reply = await preview([[holiday('eve')]], 2026);
    expect(daysOf(reply)).toEqual(['2026-02-14', '2026-04-03', '2026-04-30', '2026-06-18', '2026-09-24', '2026-09-30']);
    expect(reply.body.unknown).toEqual([{ rule: 0, kind: 'holiday', from: '2026-12-31', to: '2026-12-31', days: 1 }]);
  });

  it('goes by the country of the work area, or by none', async () => {
    expect((await preview([], 2026, 30)).body.country).toBe('JP');
    expect(daysOf(await preview([[holiday('public', '山の日')]], 2026, 30))).toEqual(['2026-08-11']);
    const nowhere = await preview([[holiday('public')]], 2026, 31);
    expect([nowhere.body.country, daysOf(nowhere), nowhere.body.unknown[0]?.days]).toEqual([null, [], 365]);
    expect((await preview([], 2026, null)).body.country, 'work areas of several countries').toBeNull();
    expect([(await preview([], 2026, 32)).status, (await preview([], 2026, 999)).status]).toEqual([403, 404]);
  });

  it('knows the lunar days of 2020 to 2060', async () => {
    const lunar = (month: number, day: number, leap = false): Condition[][] => [
      [{ kind: 'lunar', month, day, span: 1, leap }],
    ];
    expect(daysOf(await preview(lunar(1, 15), 2026)), '元宵').toEqual(['2026-03-03']);
    expect(daysOf(await preview(lunar(8, 15), 2027)), '中秋').toEqual(['2027-09-15']);
    expect(daysOf(await preview(lunar(12, 30), 2026)), '除夕 in a short month').toEqual(['2026-02-16']);
    expect(daysOf(await preview(lunar(6, 1), 2025))).toEqual(['2025-06-25']);
    expect(daysOf(await preview(lunar(6, 1, true), 2025)), 'the leap sixth month').toEqual(['2025-07-25']);
    expect(daysOf(await preview(lunar(1, 1), 2020))).toEqual(['2020-01-25']);
    const last = await preview(lunar(1, 1), 2060);
    expect([daysOf(last), last.body.unknown]).toEqual([['2060-02-02'], []]);
  });

  it.each([
    ['RRULE:FREQ=MONTHLY;BYDAY=1FR', '2026-01-01', 2026, 12, '2026-01-02'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SA', '2026-01-01', 2026, 26, '2026-01-03'],
    ['FREQ=DAILY;COUNT=10', '2026-03-01', 2026, 10, '2026-03-01'],
    ['FREQ=DAILY;UNTIL=20260305', '2026-03-01', 2026, 5, '2026-03-01'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1', '2026-01-01', 2028, 1, '2028-02-29'],
    ['FREQ=DAILY', '2026-07-01', 2026, 184, '2026-07-01'],
  ])('counts %s from %s on', async (rrule, start, year, count, first) => {
    const days = daysOf(await preview([[{ kind: 'rrule', start, rrule }]], year));
    expect([days.length, days[0]]).toEqual([count, first]);
  });

  it('follows a recurrence for five years, and says where it no longer does', async () => {
    const reply = await preview([[{ kind: 'rrule', start: '2026-07-01', rrule: 'FREQ=DAILY' }]], 2031);
    expect(daysOf(reply).at(-1)).toBe('2031-06-30');
    expect(reply.body.unknown).toEqual([{ rule: 0, kind: 'rrule', from: '2031-07-01', to: '2031-12-31', days: 184 }]);
  });

  it('answers others while hostile recurrences are looked through', async () => {
    const hostile = [
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,4,6,9,11',
      `FREQ=YEARLY;BYDAY=${Array.from({ length: 30 }, (_, n) => `${n + 1}MO`).join(',')};BYSETPOS=300`,
      'FREQ=DAILY;COUNT=2000;BYMONTH=2',
      'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366',
    ];
    const answered: string[] = [];
    const previewed = preview(
      hostile.map((rrule) => [{ kind: 'rrule', start: '2026-01-01', rrule }]),
      2028,
    ).finally(() => answered.push('preview'));
    for (const country of ['CN', 'JP', 'FR']) {
      await yearOf(country, 2026);
      answered.push(country);
    }
    const reply = await previewed;
    expect(answered).toEqual(['CN', 'JP', 'FR', 'preview']);
    expect([reply.status, daysOf(reply, 0), daysOf(reply, 1), daysOf(reply, 2)]).toEqual([200, [], [], []]);
    expect(daysOf(reply, 4)).toEqual(['2028-12-31']);
  });

  it('names everything that is wrong at once, in the language of the caller', async () => {
    const { status, body } = await call<Refused>('/api/v1/calendars/preview', {
      headers: { 'accept-language': 'zh-CN' },
      body: {
        calendar: {
          default: 7,
          rules: [
            rule({ kind: 'yearly', from: '1-1', to: '13-01', otherwise: 'none' }),
            { ...rule(), when: [{ kind: 'rrule', start: '2026-01-01', rrule: 'FREQ=SECONDLY' }] },
          ],
        },
        programmes: [1, 2],
        year: 1999,
        workAreaId: 1,
      },
    });
    expect(status).toBe(400);
    expect(body.params.map(({ field, rule: broken }) => `${field} ${broken}`)).toEqual([
      'year minimum',
      'calendar.default option',
      'calendar.rules.0.when.0.from monthDay',
      'calendar.rules.0.when.0.to monthDay',
      'calendar.rules.1.when.0.rrule recurrence',
    ]);
    expect(body.params.at(-1)?.message).toContain('按天的重复规则');
  });
});

describe('a file of holidays', () => {
  const ics = (name: string): Buffer =>
    readFileSync(createRequire(import.meta.url).resolve(`chinese-days/dist/years/${name}`));

  it('in .ics gives what the program has of that year', async () => {
    const before = await yearOf('CN', 2026);
    const { status, body } = await upload<Year>(ics('2026.ics'), { year: 2026, name: '2026.ics' });
    expect([status, body.source, body.state, body.importedAt]).toEqual([
      201,
      '2026.ics',
      'official',
      clock.now().toISOString(),
    ]);
    expect(body.days).toEqual(before.days);
  });

  it.each<[string, string | Buffer]>([
    ['CSV', 'date,class,name\r\n2027-01-01,public,元旦\r\n2027-01-02,,元旦\r\n2027-01-09,makeupWorkday,元旦\r\n'],
    ['a Chinese table', '日期\t类别\t节日\n2027年1月1日\t休\t元旦\n2027/1/2\t\t元旦\n20270109\t班\t元旦\n'],
    [
      'JSON',
      JSON.stringify([
        { date: '2027-01-01', class: 'public', name: '元旦' },
        { date: '2027-01-02', name: '元旦' },
        { date: '2027-01-09', class: 'makeupWorkday', name: '元旦' },
      ]),
    ],
    [
      'JSON of holiday-cn',
      Buffer.from(
        `\uFEFF${JSON.stringify({
          year: 2027,
          papers: ['https://example.com/1'],
          days: [
            { name: '元旦', date: '2027-01-01', isOffDay: true },
            { name: '元旦', date: '2027-01-02', isOffDay: true },
            { name: '元旦', date: '2027-01-09', isOffDay: false },
          ],
        })}`.replace('"papers":["https://example.com/1"],', ''),
      ),
    ],
    [
      'a calendar without marks of Apple',
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20270101',
        'DTEND;VALUE=DATE:20270103',
        'SUMMARY:元旦（休）',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20270109',
        'SUMMARY:元旦 补班',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\n'),
    ],
  ])('in %s makes a year known, whose rules hold from then on', async (_what, file) => {
    await sql`DELETE FROM holiday_year WHERE country = 'CN' AND year = 2027`.execute(db);
    expect(daysOf(await preview([[holiday('public')]], 2027))).toEqual([]);
    const { status, body } = await upload<Year>(file, { state: 'estimated' });
    expect([status, body.state]).toEqual([201, 'estimated']);
    expect(body.days.map((one) => `${one.day} ${one.class} ${one.name}`)).toEqual([
      '2027-01-01 public 元旦',
      '2027-01-02 public 元旦',
      '2027-01-09 makeupWorkday 元旦',
    ]);
    expect(daysOf(await preview([[holiday('public')]], 2027))).toEqual(['2027-01-01', '2027-01-02']);
    const { rows } = await sql<{ message: string }>`SELECT message FROM operation_log ORDER BY id DESC LIMIT 1`.execute(
      db,
    );
    expect(rows[0]?.message).toBe('holiday.import');
  });

  test.each<[string, string, readonly string[]]>([
    [
      'a table with everything wrong',
      [
        'date,class,name',
        '2027-02-29,public,x',
        '2026-12-31,public,x',
        ',bank,',
        '2027-01-01,public,x',
        `2027-01-01,public,${'x'.repeat(61)}`,
      ].join('\n'),
      [
        'lines.2.date date',
        'lines.3.date otherYear',
        'lines.4.date required',
        'lines.4.class option',
        'lines.4.name required',
        'lines.6.name maxLength',
        'lines.6.date twice',
      ],
    ],
    ['a table without its columns', 'a,b\n1,2', ['lines.1.date required', 'lines.1.name required']],
    ['only makeup workdays', 'date,class,name\n2027-01-09,班,x', ['lines.1.class required']],
    ['JSON that breaks off', '[\n{"date": "2027-01-01", "name": "x"},\n', ['lines.3.json unreadable']],
    ['JSON of another shape', '{"year": 2027}', ['lines.1.days required']],
    ['JSON with other entries', '[\n{"date": "2027-01-01", "name": "x"},\n3]', ['lines.2.days type']],
    [
      'JSON with wrong days',
      '[\n{"date": "2027-01-01", "name": "[{"},\n {"date": "2028-01-01",\n  "class": 4, "name": "x"},\n{"name": "y"}]',
      ['lines.3.date otherYear', 'lines.3.class option', 'lines.5.date required'],
    ],
    [
      'a calendar with a broken line',
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nfoo\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      ['lines.3.event unreadable'],
    ],
    ['a calendar that breaks off', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n', ['lines.2.event unreadable']],
    [
      'a calendar with wrong events',
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20271345',
        'SUMMARY:x',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'SUMMARY:x',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20270101',
        'RRULE:FREQ=YEARLY',
        'SUMMARY:x',
        'END:VEVENT',
        'BEGIN:VEVENT',
        'DTSTART;VALUE=DATE:20270101',
        'DTEND;VALUE=DATE:20290101',
        'SUMMARY:x',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n'),
      ['lines.2.date date', 'lines.6.date required', 'lines.9.rrule unreadable', 'lines.14.to range'],
    ],
  ])('%s is refused with its lines, and nothing is written', async (_what, file, problems) => {
    const before = await yearOf('CN', 2027);
    const reply = await upload(file);
    expect([reply.status, problemsOf(reply)]).toEqual([400, problems]);
    expect(await yearOf('CN', 2027)).toEqual(before);
  });

  it('that is no table, or too large, is refused as such', async () => {
    expect((await upload('')).status).toBe(400);
    expect((await upload(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0]))).status).toBe(400);
    expect((await upload('x'.repeat(256 * 1024 + 1))).status).toBe(413);
  });
});
