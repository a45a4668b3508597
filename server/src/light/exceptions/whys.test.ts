import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { exampleScheme } from '../../../../catalogue/lighting/plan/examples.ts';
import { publishingOffice, type Publication } from '../publications/testing/office.ts';
import { givenRow } from '../publications/testing/rows.ts';
import { exceptionsRoutes } from './index.ts';

const office = await publishingOffice((parts) => exceptionsRoutes(parts));
const { app, db, call } = office;

it('the reason of an exception is read with a publication by those alone who see a lamp of it', async () => {
  await sql`INSERT INTO work_area (id, work_code, work_name, time_zone, latitude, longitude)
    VALUES (2, 'B', '城西', 'Asia/Shanghai', 30.2, 120.2)`.execute(db);
  const permissions = ['plan.publish', 'plan.query', 'plan.exception', 'lamp.approve'] as const;
  const wide = await app.signIn({ username: 'wide', permissions: [...permissions], workAreas: [1, 2] });
  const far = await app.signIn({ username: 'far', permissions: ['plan.query'], workAreas: [2] });
  const [one = 0, ...others] = await givenRow(db, 3, 'arterial');
  const [elsewhere = 0] = await office.lamps(1);
  await sql`UPDATE device SET work_area_id = 2 WHERE id = ${elsewhere}`.execute(db);
  const exception = await call<{ id: number }>('/api/v1/plan-exceptions', {
    token: wide.token,
    body: {
      scope: { deviceIds: [one] },
      ...{ fromDay: '2026-11-24', toDay: '2026-11-26', op: 'set', level: 20, reason: '夜间施工占道' },
    },
  });
  expect(exception.status, JSON.stringify(exception.body)).toBe(201);
  const schemeId = await office.version('scheme', exampleScheme(60));
  const lamps = [...others, elsewhere];
  const accepted = ['darker', 'unknownHolidays'];
  const words = `#${exception.body.id} 夜间施工占道`;
  const named = (reason: string) =>
    expect.objectContaining({ code: 'floorException', params: expect.objectContaining({ reason }) });
  const refused = await office.publish(lamps, { schemeId, acceptedFindings: accepted }, wide.token);
  expect(refused.body.findings).toContainEqual(named(words));
  const preview = await call<Publication>('/api/v1/publications/preview', {
    token: wide.token,
    body: { schemeId, scope: { deviceIds: lamps } },
  });
  expect(preview.body.findings).toContainEqual(named(words));
  const all = { acceptedFindings: [...accepted, 'floorException'], confirmCount: 3 };
  const made = await office.publish(lamps, { schemeId, ...all }, wide.token);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = '/api/v1/publications';
  for (const [token, reason] of [
    [wide.token, words],
    [far.token, `#${exception.body.id}`],
  ] as const) {
    const own = await call<Publication>(`${path}/${made.body.id}`, { token });
    expect(own.body.findings, JSON.stringify(own.body)).toContainEqual(named(reason));
    const list = await call<{ data: Publication[] }>(path, { token });
    expect(list.body.data.find(({ id }) => id === made.body.id)?.findings).toContainEqual(named(reason));
  }
});
