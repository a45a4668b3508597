import { randomBytes } from 'node:crypto';
import { offsetForSunsetAt } from '../../../../catalogue/lighting/sun.ts';
import type { Handover } from '../../../../simulator/city/handover.ts';
import { defaultSeed, generateCity, type City } from '../../../../simulator/city/index.ts';
import { origin } from '../../../../simulator/city/plane.ts';
import type { Transaction } from '../../platform/db/index.ts';
import type { Devices } from '../../register/devices/index.ts';
import { loadPlaces } from '../../register/places/index.ts';
import {
  boxValues,
  controllerValues,
  groupOf,
  lampValues,
  litStreets,
  loopRows,
  poleValues,
  transformerValues,
  type CityPlaces,
} from './city-devices.ts';
import { demoChannels, equipmentValues, type ChannelName } from './city-equipment.ts';
import * as store from './demo.store.ts';
import { seedPlans } from './plans.ts';

/** The demo city's zone; its coordinates are open country near there. */
const timeZone = 'Asia/Shanghai';
const hourMs = 3_600_000;

export interface SeedParts {
  readonly devices: Pick<Devices, 'registerMany' | 'issueCredentials'>;
  readonly lamps: number;
  readonly broker: string;
  readonly now: Date;
}

/**
 * Makes the city in one transaction: a killed seeding leaves nothing behind. Devices and credentials come from the same
 * service as everybody's. The sun is moved so that dusk was one hour ago.
 */
export async function seedCity(tx: Transaction, { devices, lamps, broker, now }: SeedParts): Promise<Handover> {
  const city = generateCity({ seed: defaultSeed, lamps });
  const places = await seedPlaces(tx, city, now);
  const transformerIds = await devices.registerMany(
    tx,
    transformerValues(city, places).map((values) => ({ family: 'transformer', values })),
  );
  const boxIds = await devices.registerMany(
    tx,
    boxValues(city, places, transformerIds).map((values) => ({ family: 'control-box', values })),
  );
  const loopIds = await store.addLoops(tx, loopRows(city, places, boxIds));
  const controllerIds = await devices.registerMany(
    tx,
    controllerValues(city, places, boxIds).map((values) => ({ family: 'central-controller', values })),
  );
  const poleIds = await devices.registerMany(
    tx,
    poleValues(city, places, controllerIds).map((values) => ({ family: 'lamp-pole', values })),
  );
  const lampIds = await devices.registerMany(
    tx,
    lampValues(city, places, controllerIds, poleIds, loopIds).map((values) => ({
      family: 'single-lamp-controller',
      values,
    })),
  );
  const equipmentIds = await seedEquipment(tx, devices, city, places, poleIds, boxIds);
  const area = (await loadPlaces(tx, [places.workId])).get(places.workId);
  if (area)
    await seedPlans(
      tx,
      area,
      city.lamps.flatMap(({ pole }, index) => {
        const street = city.poles[pole]?.street ?? -1;
        const roadClass = city.streets[street]?.roadClass;
        return roadClass ? [{ id: lampIds[index] ?? 0, roadClass, street }] : [];
      }),
      now,
    );
  const mark = {
    token: randomBytes(12).toString('base64url'),
    seed: city.seed,
    lamps,
    workAreaId: places.workId,
    failingControllerId: controllerIds[city.dramas.failingBox ?? -1] ?? null,
    since: now.toISOString(),
  };
  await store.putMark(tx, mark);
  return handOver(tx, devices, city, mark, broker, { lampIds, controllerIds, equipmentIds });
}

/** The handover of a city that was made before and whose file is lost: its devices get new credentials. */
export async function handOverAgain(
  tx: Transaction,
  devices: Pick<Devices, 'issueCredentials'>,
  mark: store.DemoMark,
  broker: string,
): Promise<Handover> {
  const city = generateCity({ seed: mark.seed, lamps: mark.lamps });
  const ids = await store.findDeviceIds(tx, mark.workAreaId);
  const idOf = (code: string): number => ids.get(code) ?? 0;
  return handOver(tx, devices, city, mark, broker, {
    lampIds: city.lamps.map((lamp) => idOf(lamp.code)),
    controllerIds: city.boxes.map((box) => idOf(box.controllerCode)),
    // A city of an earlier version has none.
    equipmentIds: city.equipment.map((one) => idOf(one.code)),
  });
}

/** Devices on smart poles and beside them; gateways first, which the others name. Returns their ids in the city's order. */
async function seedEquipment(
  tx: Transaction,
  devices: Pick<Devices, 'registerMany'>,
  city: City,
  places: CityPlaces,
  poleIds: readonly number[],
  boxIds: readonly number[],
): Promise<number[]> {
  const byCode = await store.addChannels(tx, places.workId, Object.values(demoChannels));
  const channelIds = Object.fromEntries(
    Object.entries(demoChannels).map(([name, { code }]) => [name, byCode.get(code) ?? 0]),
  ) as Record<ChannelName, number>;
  const known = { poleIds, boxIds, channelIds };
  const gateways = city.equipment.filter(({ family }) => family === 'gateway').length;
  const gatewayIds = await devices.registerMany(tx, equipmentValues(city, places, known, []).slice(0, gateways));
  const others = await devices.registerMany(tx, equipmentValues(city, places, known, gatewayIds).slice(gateways));
  return [...gatewayIds, ...others];
}

/** New credentials for every device of the city that speaks for itself. */
async function handOver(
  tx: Transaction,
  devices: Pick<Devices, 'issueCredentials'>,
  city: City,
  mark: store.DemoMark,
  broker: string,
  { lampIds, controllerIds, equipmentIds }: Pick<Handover, 'lampIds' | 'controllerIds' | 'equipmentIds'>,
): Promise<Handover> {
  const speaking = [
    ...city.boxes.map((box, index) => ({ code: box.controllerCode, id: controllerIds[index] ?? 0 })),
    ...city.lamps.flatMap((lamp, index) => (lamp.direct ? [{ code: lamp.code, id: lampIds[index] ?? 0 }] : [])),
    ...city.equipment.flatMap(({ code }, index) => {
      const id = equipmentIds[index] ?? 0;
      return id > 0 ? [{ code, id }] : [];
    }),
  ];
  const issued = await devices.issueCredentials(
    tx,
    speaking.map(({ id }) => id),
  );
  const credentials = issued.map((credential, index) => ({ ...credential, code: speaking[index]?.code ?? '' }));
  return {
    format: 1,
    token: mark.token,
    broker,
    seed: mark.seed,
    lamps: mark.lamps,
    lampIds,
    controllerIds,
    equipmentIds,
    credentials,
  };
}

async function seedPlaces(tx: Transaction, city: City, now: Date): Promise<CityPlaces> {
  const workId = await store.takeArea(tx, {
    work_code: 'BJXQ',
    work_name: '滨江新区',
    area: '滨江新区',
    address: '滨江大道 1 号',
    ...origin,
    time_zone: timeZone,
    sun_offset_minutes: offsetForSunsetAt({ ...origin, timeZone }, now.getTime() - hourMs) ?? 0,
  });
  const streets = litStreets(city);
  const roads = streets.map((index) => city.streets[index]).filter((street) => street !== undefined);
  const ids = await store.addRoads(tx, workId, roads);
  const names = [...new Set(city.poles.map((pole) => groupOf(city, pole)))].sort();
  const groupIds = await store.addGroups(
    tx,
    workId,
    names.map((name, index) => ({
      code: `G${String(index + 1).padStart(2, '0')}`,
      name,
      family: 'single-lamp-controller',
    })),
  );
  return { workId, roadIds: new Map(streets.map((street, index) => [street, ids[index] ?? 0])), groupIds };
}
