import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { calendarRoutes, createCalendars, prepareHolidays } from '../../light/calendar/index.ts';
import { testApp } from '../../testing/app.ts';
import { testClock } from '../../testing/clock.ts';
import { createSystemHealth, systemHealthRoutes } from './index.ts';

// 2026-11-30 in Shanghai and Tokyo.
const clock = testClock(new Date('2026-11-30T02:00:00Z'));
const app = await testApp({
  clock,
  routes: (parts) => [
    ...calendarRoutes(createCalendars(parts)),
    ...systemHealthRoutes(createSystemHealth({ ...parts, answering: parts.db, ownId: 'test' })),
  ],
});
const { call, db } = app;

const findings = async (): Promise<unknown[]> => {
  await clock.advance(70_000);
  const { body } = await call<{ subjects: { subject: string; findings: unknown[] }[] }>('/api/v1/system-health');
  return body.subjects.find(({ subject }) => subject === 'plans')?.findings ?? [];
};

test('says from December on which countries do not know the next year', async () => {
  await sql`UPDATE work_area SET time_zone = 'Asia/Shanghai' WHERE id = 1`.execute(db);
  await sql`INSERT INTO work_area (id, work_code, work_name, time_zone)
    VALUES (30, 'JP', '東京', 'Asia/Tokyo'), (31, 'US', 'New York', 'America/New_York')`.execute(db);
  await prepareHolidays(db, clock.now());
  await sql`DELETE FROM holiday_year WHERE (country, year) IN (('CN', 2027), ('JP', 2027), ('FR', 2027))`.execute(db);
  expect(await findings(), 'in November').toEqual([]);
  await clock.advance(Date.parse('2026-11-30T15:30:00Z') - clock.now().getTime());
  expect(await findings(), 'in Tokyo it is December, in Shanghai it is not; nobody is in France').toEqual([
    { code: 'holidaysUnknown', state: 'degraded', values: { country: 'JP', calendarYear: '2027' } },
  ]);
  await clock.advance(3_600_000);
  expect(await findings()).toHaveLength(2);
  const { token } = await app.signIn({ username: 'planner', level: 3, permissions: ['plan.edit'], workAreas: [1] });
  await call('/api/v1/holiday-imports?country=JP&year=2027&name=x.csv', {
    token,
    body: 'date,name\n2027-01-01,元日',
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(await findings()).toEqual([
    { code: 'holidaysUnknown', state: 'degraded', values: { country: 'CN', calendarYear: '2027' } },
  ]);
});
