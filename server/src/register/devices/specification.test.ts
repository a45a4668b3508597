import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '../../../../catalogue/specification.cases.ts';
import { openKeys } from '../../platform/keys/index.ts';
import { testApp } from '../../testing/app.ts';
import { createDevices, devicesRoutes } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-specification-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { call, db } = await testApp({
  routes: ({ db: of, bus, clock, log }) =>
    devicesRoutes(createDevices({ db: of, bus, clock, log, keys: openKeys(join(folder, 'secret.key')) })),
});
let workId = 0;
beforeAll(async () => {
  workId = (
    await db
      .insertInto('work_area')
      .values({ work_code: 'A', work_name: 'A' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
});

interface Problem {
  readonly params: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
}
const type = (family: string) => (family === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_24' } : {});

test.each(specifiedRules)('specified 9.5, refused by the server: %s (%s)', async (_rule, family, values, refused) => {
  const { status, body } = await call<Problem>('/api/v1/devices', {
    body: { family, equipmentCode: 'X1', equipmentName: 'x', workId, ...type(family), ...values },
  });
  expect([status, body.params.map(({ field, rule }) => `${field}:${rule}`).toSorted()]).toEqual([400, refused]);
  for (const { message } of body.params) expect(message).toMatch(/\p{Script=Han}/u);
  expect(await db.selectFrom('device').select('id').execute()).toEqual([]);
});
