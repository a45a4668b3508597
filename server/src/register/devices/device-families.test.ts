import { describe, expect, test } from 'vitest';
import { families } from '../../../../catalogue/index.ts';
import { deviceRegister, type Row } from './testing/device-register.ts';

const { app, db, call, place, post, put, problems, given } = await deviceRegister();

describe('every family', () => {
  test.each(families.map((family) => [family.key, family] as const))(
    '%s: its examples are registered, found by its filters and told by name',
    async (_key, family) => {
      const base = { ...family.examples[0] };
      for (const field of family.fields) {
        if (field.kind !== 'reference' || base[field.key] === undefined) continue;
        if (field.key === 'workId') base[field.key] = place.north;
        else if ('record' in field.to)
          base[field.key] = { road: place.road, channel: place.channel }[field.to.record] ?? null;
        else base[field.key] = (await given.of(field.to.family)).id;
      }
      const made = await post({ family: family.key, ...base, equipmentCode: `every-${family.key}` });
      expect(made.body).toMatchObject({ family: family.key, equipmentCode: `every-${family.key}` });
      const one = made.body;
      for (const field of family.fields) {
        if (field.kind === 'reference' && one[field.key] !== null)
          expect(one.labels, field.key).toHaveProperty(field.key);
        if (!field.filter || one[field.key] === null) continue;
        const list = await call<{ data: Row[] }>(
          `/api/v1/devices?family=${family.key}&q=every-&${field.key}=${encodeURIComponent(String(one[field.key]))}`,
        );
        expect(
          list.body.data.map((row) => row.id),
          field.key,
        ).toContain(one.id);
      }
      expect(one['secrets']).toEqual(
        family.fields
          .filter((field) => field.kind === 'secret' && base[field.key] !== undefined)
          .map((field) => field.key),
      );
    },
  );
  test('what another device names cannot be deleted, and is told', async () => {
    const transformer = await given.of('transformer');
    const box = await post({
      family: 'control-box',
      equipmentCode: 'refs',
      equipmentName: 'x',
      workId: place.north,
      transformerId: transformer.id,
    });
    expect(box.body.labels).toMatchObject({ transformerId: transformer['equipmentCode'] });
    expect((await call(`/api/v1/devices/${transformer.id}/uses`)).body).toMatchObject({
      blocking: [{ what: 'reference', count: 1 }],
    });
    expect((await call(`/api/v1/devices/${transformer.id}`, { method: 'DELETE' })).status).toBe(400);
    expect(problems(await put(transformer.id, { workId: place.south }))).toEqual(['workId:foreignArea']);
    expect(problems(await put(box.body.id, { transformerId: box.body.id }))).toEqual(['transformerId:itself']);
  });
});

describe('secrets', () => {
  test('of every family are encrypted at rest, shown on request with their own right, and showing is logged', async () => {
    for (const key of ['gateway', 'security-camera']) {
      const family = families.find((one) => one.key === key)!;
      for (const field of family.fields.filter(({ kind }) => kind === 'secret')) {
        const { body } = await post({
          family: key,
          equipmentCode: `sec-${key}-${field.key}`,
          equipmentName: 'x',
          workId: place.north,
          [field.key]: 'geheim-77',
        });
        const stored = await db
          .selectFrom('device')
          .select('props')
          .where('id', '=', body.id)
          .executeTakeFirstOrThrow();
        expect(JSON.stringify(stored)).not.toContain('geheim-77');
        expect(JSON.stringify(body)).not.toContain('geheim-77');
        const shown = await call<{ value: string }>(`/api/v1/devices/${body.id}/secrets/${field.key}`, {
          method: 'POST',
        });
        expect(shown).toMatchObject({ status: 200, body: { value: 'geheim-77' } });
        expect(shown.headers['cache-control']).toBe('no-store');
        const logged = await db
          .selectFrom('operation_log')
          .select(['uri', 'params'])
          .where('uri', 'like', `%/devices/${body.id}/secrets/%`)
          .execute();
        expect(logged).toHaveLength(1);
      }
    }
    expect(JSON.stringify(await db.selectFrom('operation_log').selectAll().execute())).not.toContain('geheim-77');
    const lamp = await given.lamp();
    expect((await call(`/api/v1/devices/${lamp.id}/secrets/password`, { method: 'POST' })).body).toEqual({
      value: null,
    });
    for (const field of ['equipmentCode', 'nonsense'])
      expect(problems(await call(`/api/v1/devices/${lamp.id}/secrets/${field}`, { method: 'POST' }))).toEqual([
        'field:option',
      ]);
    const reader = await app.signIn({
      username: 'reader',
      permissions: ['device.query', 'device.edit'],
      workAreas: [place.north],
    });
    expect(
      (await call(`/api/v1/devices/${lamp.id}/secrets/password`, { method: 'POST', token: reader.token })).status,
    ).toBe(403);
  });
});
