import { describe, expect, test } from 'vitest';
import { importOffice, type Row } from './testing/import-office.ts';

const { db, call, place, upload, begin, check, apply, rowsOf, pole, line, checked } = await importOffice();

describe('the look', () => {
  test('counts new, update, unchanged and error, tells every problem of every row, and writes nothing', async () => {
    const begun = await checked(line('C1') + line('C2', { note: '旧' }));
    await apply(begun.id);
    const one = await checked(
      line('C1') +
        line('C2', { note: '新' }) +
        line('C3') +
        line('C4', { name: '', x: 'abc', type: '木头' }) +
        line('C4', { area: '没有这个区' }) +
        line('坏\t码') +
        line('C5', { x: '0', y: '0' }) +
        line('c1'),
    );
    expect(one).toMatchObject({
      state: 'checked',
      counts: { new: 1, update: 1, unchanged: 1, error: 5 },
      task: { state: 'done' },
      unknownWords: { equipmentTypeId: [{ word: '木头', rows: 1 }] },
    });
    const { data } = await rowsOf(one.id, 'outcome=error');
    const found = data.map(({ row, problems }) => [
      row,
      ...problems.map(({ field, rule }) => `${field}:${rule}`).toSorted(),
    ]);
    expect(found).toEqual([
      [5, 'equipmentName:required', 'equipmentTypeId:option', 'longitude:type'],
      [6, 'workId:notFound'],
      [7, 'equipmentCode:code'],
      [8, 'longitude:zeroPosition'],
      [9, 'equipmentCode:sameAsRow'],
    ]);
    expect(data[4]?.problems[0]?.message).toBe('编号与第 2 行重复');
    const broken = async (field: string, rule: string) =>
      (await rowsOf(one.id, `outcome=error&rule=${rule}&field=${field}`)).data.map(({ row }) => row);
    expect([await broken('workId', 'notFound'), await broken('equipmentName', 'notFound')]).toEqual([[6], []]);
    expect((await rowsOf(one.id, 'outcome=update')).data[0]?.changes).toEqual([
      { field: 'rmark', from: '旧', to: '新' },
    ]);
    expect(await pole('C3')).toBeUndefined();
    expect((await pole('C2'))?.['rmark']).toBe('旧');
  });

  test('a missing column leaves a field as it is, an empty cell empties it', async () => {
    await apply(
      (await checked(line('K1', { note: '留', road: '滨江大道' }) + line('K2', { note: '去', road: 'R1' }))).id,
    );
    const { body } = await upload('equipmentCode,workId,rmark\nK1,N,留\nK2,北区,\n');
    await apply((await check(body.id)).id);
    expect([await pole('K1'), await pole('K2')]).toMatchObject([
      { rmark: '留', roadId: place.road, equipmentName: '杆' },
      { rmark: null, roadId: place.road, equipmentName: '杆' },
    ]);
  });

  test('positions in other systems become WGS-84; strays are asked about, and believed when somebody says so', async () => {
    const at = (code: string, x: number, y: number) => line(code, { x: String(x), y: String(y) });
    const twd =
      [1, 2, 3, 4, 5].map((n) => at(`T${n}`, 275_170 + n, 2_759_430)).join('') +
      at('T6', 27_517, 2_759_430) +
      at('T7', 1e12, 5);
    const one = await checked(twd, { system: 'EPSG:3826' });
    expect(one.counts).toMatchObject({ new: 5, error: 2 });
    expect((await rowsOf(one.id, 'outcome=error')).data.map(({ problems }) => problems[0]?.rule)).toEqual([
      'farAway',
      'outsideSystem',
    ]);
    // The other devices of this register stand 500 km away: that is asked about too, and nothing is written before it
    // is answered.
    const asked = await check(one.id, { acceptFar: true });
    expect(asked.questions).toEqual([{ kind: 'farFromRegister', rows: 6, km: expect.any(Number) as number }]);
    expect((await begin(one.id, 'apply', { rows: 'valid' })).reply.body.code).toBe(3811);
    expect((await check(one.id, { acceptFar: true, acceptPlace: true })).counts).toMatchObject({ new: 6, error: 1 });
    await apply(one.id);
    expect(await pole('T1')).toMatchObject({
      longitude: expect.closeTo(121.24926, 4) as number,
      latitude: expect.closeTo(24.94249, 4) as number,
    });
    const pins = await call<{ pins: { row: number; longitude: number }[] }>(
      `/api/v1/imports/${one.id}/pins?system=EPSG:3826&x=3&y=4`,
    );
    expect(pins.body.pins.map(({ row }) => row)).toEqual([2, 5, 8]);
  });

  test('words of the file can be given a meaning; roads that are missing can be made with it', async () => {
    const text =
      line('W1', { type: '木头', road: '新路' }) +
      line('W2', { type: '不知', road: '新路' }) +
      line('W3', { road: '没有' });
    const one = await checked(text, {
      words: { equipmentTypeId: { 木头: 'equipment_type_13', 不知: 'equipment_type_24' } },
      createRoads: true,
    });
    expect(one).toMatchObject({
      counts: { new: 3, error: 0 },
      newRoads: [
        { name: '新路', rows: 2 },
        { name: '没有', rows: 1 },
      ],
    });
    await apply(one.id);
    const made = await db
      .selectFrom('road')
      .select(['id', 'road_name'])
      .where('road_name', 'in', ['新路', '没有'])
      .execute();
    expect(made.length).toBe(2);
    expect((await pole('W2'))?.['roadId']).toBe(made.find((road) => road.road_name === '新路')?.id);
    expect((await checked(text.replaceAll('W', 'V'))).counts).toMatchObject({ new: 1, error: 2 });
  });
});

test('gateways are not hung on each other in a circle, by rows of one file or against the register', async () => {
  const made = async (code: string) =>
    (
      await call<Row>('/api/v1/devices', {
        body: { family: 'gateway', equipmentCode: code, equipmentName: code, workId: place.north },
      })
    ).body;
  for (const code of ['RING1', 'RING2', 'RING3']) await made(code);
  const file = async (text: string) => {
    const { body } = await upload(`equipmentCode,workId,gatewayId\n${text}`, { family: 'gateway' });
    return check(body.id);
  };
  const ring = await file('RING1,N,RING2\nRING2,N,RING3\nRING3,N,RING1\n');
  expect(ring.counts).toMatchObject({ update: 0, error: 3 });
  expect((await rowsOf(ring.id)).problems).toEqual([
    expect.objectContaining({ field: 'gatewayId', rule: 'cycle', rows: 3 }),
  ]);
  // Fine when looked at, a circle when written: somebody else hung the other one meanwhile.
  const late = await file('RING1,N,RING2\n');
  expect(late.counts).toMatchObject({ update: 1, error: 0 });
  const gateways = (await call<{ data: Row[] }>('/api/v1/devices?family=gateway&q=RING')).body.data;
  const idOf = (code: string) => gateways.find((row) => row['equipmentCode'] === code)?.id;
  expect(
    (await call(`/api/v1/devices/${idOf('RING2')}`, { method: 'PUT', body: { gatewayId: idOf('RING1') } })).status,
  ).toBe(200);
  expect((await apply(late.id)).one).toMatchObject({ state: 'checked', task: { state: 'failed' } });
});
