import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openKeys } from '../../../platform/keys/index.ts';
import { testApp } from '../../../testing/app.ts';
import { createDevices, deviceAccessRoutes, devicesRoutes, type Devices } from '../index.ts';

export type Row = Record<string, unknown> & {
  id: number;
  version: number;
  labels: Record<string, string>;
  data?: Row[];
};
export interface Problem {
  code: number;
  detail: string;
  params: { field: string; rule: string; message: string }[];
}

/** A register of two work areas with roads, groups and a channel. Call it at the top of a test file. */
export async function deviceRegister() {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-devices-'));
  const keys = openKeys(join(folder, 'secret.key'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  let devices!: Devices;
  const app = await testApp({
    routes: (parts) => [
      ...devicesRoutes((devices = createDevices({ ...parts, keys }))),
      ...deviceAccessRoutes({ ...parts, keys }),
    ],
  });
  const { db, call } = app;

  const place = { north: 0, south: 0, road: 0, southRoad: 0, group: 0, poleGroup: 0, channel: 0 };
  const post = (body: object, more = {}) => call<Row>('/api/v1/devices', { body, ...more });
  const put = (id: number, body: object, more = {}) =>
    call<Row>(`/api/v1/devices/${id}`, { method: 'PUT', body, ...more });
  const problems = (reply: { body: unknown }) =>
    (reply.body as Problem).params.map((p) => `${p.field}:${p.rule}`).sort();
  let serial = 0;
  const given = {
    lamp: async (more: object = {}) =>
      (
        await post({
          family: 'single-lamp-controller',
          equipmentCode: `L-${(serial += 1)}`,
          equipmentName: '灯',
          workId: place.north,
          ...more,
        })
      ).body,
    pole: async (more: object = {}) =>
      (
        await post({
          family: 'lamp-pole',
          equipmentCode: `P-${(serial += 1)}`,
          equipmentName: '杆',
          workId: place.north,
          equipmentTypeId: 'equipment_type_13',
          ...more,
        })
      ).body,
    controller: async (more: object = {}) =>
      (
        await post({
          family: 'central-controller',
          equipmentCode: `C-${(serial += 1)}`,
          equipmentName: '集控',
          workId: place.north,
          ...more,
        })
      ).body,
    of: async (family: string) =>
      (
        await post({
          family,
          equipmentCode: `F-${(serial += 1)}`,
          equipmentName: 'x',
          workId: place.north,
          ...(family === 'lamp-pole' ? { equipmentTypeId: 'equipment_type_13' } : {}),
        })
      ).body,
  };

  beforeAll(async () => {
    const area = async (code: string) =>
      (
        await db
          .insertInto('work_area')
          .values({ work_code: code, work_name: `区${code}` })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const road = async (at: number, code: string) =>
      (
        await db
          .insertInto('road')
          .values({ work_area_id: at, road_code: code, road_name: `${code}路` })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const group = async (family: string) =>
      (
        await db
          .insertInto('equipment_group')
          .values({ work_area_id: place.north, group_code: family, group_name: family, family })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    place.north = await area('N');
    place.south = await area('S');
    place.road = await road(place.north, 'R1');
    place.southRoad = await road(place.south, 'R2');
    place.group = await group('single-lamp-controller');
    place.poleGroup = await group('lamp-pole');
    place.channel = (
      await db
        .insertInto('channel')
        .values({ work_area_id: place.north, channel_code: 'CH-1', channel_name: '单灯接入', protocol: 'mqtt' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });

  return { keys, devices, app, db, call, place, post, put, problems, given };
}
