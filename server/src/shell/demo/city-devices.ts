import type { Values } from '../../../../catalogue/index.ts';
import { lampPlace, type City } from '../../../../simulator/city/index.ts';
import { createRandom, seedOf } from '../../../../simulator/city/random.ts';
import { toDegrees } from '../../../../simulator/city/plane.ts';
import type { Pole, Street } from '../../../../simulator/city/types.ts';

/** Ids of the master data that devices of the city name. */
export interface CityPlaces {
  readonly workId: number;
  /** By position in the city's streets; absent where nothing hangs. */
  readonly roadIds: ReadonlyMap<number, number>;
  readonly groupIds: ReadonlyMap<string, number>;
}

/** Streets that carry poles, by position. */
export const litStreets = (city: City): number[] =>
  [...new Set(city.poles.map((pole) => pole.street))].sort((a, b) => a - b);

/** The groups a city's lamps are switched in: by class and bank, the bridges and the walks apart. */
export function groupOf(city: City, pole: Pole): string {
  const street = city.streets[pole.street];
  if (pole.location === 'bridge') return '跨江大桥';
  if (street?.roadClass === 'park') return '步道与公园';
  return `${street?.north ? '江北' : '江南'}${classNames[street?.roadClass ?? 'branch']}`;
}

const classNames = { arterial: '主干道', secondary: '次干道', branch: '支路', park: '步道' } as const;

/** 北侧, 东侧 … of a street; its middle: 中央. */
export function sideName(street: Street, pole: Pole): string {
  if (pole.side === 'median') return '中央';
  const [dx, dy] = [pole.left[1], -pole.left[0]];
  const eastWest = Math.abs(dx) > Math.abs(dy);
  const toNorthOrWest = eastWest ? (pole.side === 'left') === dx > 0 : (pole.side === 'left') === dy > 0;
  return eastWest ? (toNorthOrWest ? '北侧' : '南侧') : toNorthOrWest ? '西侧' : '东侧';
}

export const placeOf = (at: readonly [number, number]): { longitude: number; latitude: number } => {
  const [longitude, latitude] = toDegrees(at);
  return { longitude, latitude };
};

/** When a device left its factory, was mounted and is no longer under warranty; its serial number says the first. */
export function lifeOf(seed: number, code: string): { readonly serial: string; readonly life: Values } {
  const random = createRandom(seedOf(seed, `life ${code}`));
  const [year, month] = [random.whole(2021, 2025), random.whole(1, 9)];
  const day = (of: number): string => String(of).padStart(2, '0');
  return {
    serial: `SN${String(year).slice(2)}${day(month)}${String(random.whole(0, 999_999)).padStart(6, '0')}`,
    life: {
      leaveFactoryTime: `${year}-${day(month)}-${day(random.whole(1, 28))}`,
      installTime: `${year}-${day(month + random.whole(1, 3))}-${day(random.whole(1, 28))}`,
      warrantyUntil: `${year + random.whole(3, 6)}-12-31`,
    },
  };
}

/** A road is built at once: all that stands along it was mounted together. */
const lifeOfRoad = (city: City, street: number): Values => lifeOf(city.seed, `road ${street}`).life;

/** Share of a transformer's capacity that its lamps take at full level, %. */
function loadRate(city: City, transformer: number): number {
  const watts = city.boxes
    .filter((box) => box.transformer === transformer)
    .flatMap(({ loops }) => loops.flatMap((loop) => city.loops[loop]?.lamps ?? []))
    .reduce((sum, lamp) => sum + (city.lamps[lamp]?.model.ratedWatts ?? 0), 0);
  const kva = city.transformers[transformer]?.capacityKva ?? 1;
  return Math.round(watts / powerFactor / kva) / 10;
}
const powerFactor = 0.95;

export const transformerValues = (city: City, { workId }: CityPlaces): Values[] =>
  city.transformers.map(({ code, at, capacityKva }, index) => ({
    equipmentCode: code,
    equipmentName: `滨江新区 ${index + 1} 号箱变`,
    workId,
    mounting: 'box',
    capacity: capacityKva,
    manufacturer: '江城电气',
    model: `S13-M-${capacityKva}/10`,
    loadRate: loadRate(city, index),
    ...lifeOf(city.seed, code).life,
    status: 'enabled',
    ...placeOf(at),
  }));

/** A control box stands beside its controller. */
export const boxValues = (city: City, { workId, roadIds }: CityPlaces, transformerIds: readonly number[]): Values[] =>
  city.boxes.map((box) => ({
    equipmentCode: box.code,
    equipmentName: box.name.replace('集控', '配电箱'),
    workId,
    roadId: roadIds.get(box.street) ?? null,
    transformerId: transformerIds[box.transformer] ?? null,
    controlType: 'central_controller',
    powerType: 'three_phase',
    capacity: 80,
    swichType: 'contactor',
    guardSwitch: true,
    indicateCt: '100/5',
    facilitySize: '800×1200×400 mm',
    model: 'JXF-6',
    address: `${city.streets[box.street]?.name ?? ''}旁`,
    manufacturer: '江城电气',
    ...lifeOfRoad(city, box.street),
    status: 'enabled',
    ...placeOf(box.at),
  }));

/** Loops of a box by their outputs; the last one of a full box goes off in the quiet hours. */
export const loopRows = (city: City, { workId }: CityPlaces, boxIds: readonly number[]) =>
  city.loops.map((loop) => ({
    control_box_id: boxIds[loop.box] ?? 0,
    work_area_id: workId,
    loop_code: `L${loop.number}`,
    loop_name: `${loop.number} 号回路`,
    loop_number: loop.number,
    phase: loop.phase,
    lighting: loop.number === 5 ? 'half_night' : 'all_night',
    rated_current: 32,
  }));

export function controllerValues(city: City, { workId, roadIds }: CityPlaces, boxIds: readonly number[]): Values[] {
  return city.boxes.map((box, index) => ({
    equipmentCode: box.controllerCode,
    equipmentName: box.name,
    equipmentNum: box.controllerCode,
    workId,
    roadId: roadIds.get(box.street) ?? null,
    ...placeOf(box.at),
    controlId: boxIds[index] ?? null,
    controllerId: `CC-${String(index + 1).padStart(6, '0')}`,
    rtuType: 'metering',
    modelCode: 'RTU-6L',
    counterMax: 999_999.999,
    ip: `10.20.0.${1 + (index % 250)}`,
    port: 1884,
    curentAcquisitionMode: 'transformer',
    manufacturer: '江城电气',
    model: 'RTU-6L',
    ...lifeOfRoad(city, box.street),
    status: 'enabled',
  }));
}

const poleModels = { single_arm: 'DG-9-1', double_arm: 'DG-11-2', post_top: 'TY-4' } as const;

export function poleValues(city: City, { workId, roadIds }: CityPlaces, controllerIds: readonly number[]): Values[] {
  const boxes = new Map<number, number>();
  for (const lamp of city.lamps) boxes.set(lamp.pole, city.loops[lamp.loop]?.box ?? 0);
  return city.poles.map((pole, index) => {
    const street = city.streets[pole.street] as Street;
    return {
      equipmentCode: pole.code,
      equipmentName: `${street.name} ${sideName(street, pole)} ${pole.number} 号杆`,
      workId,
      roadId: roadIds.get(pole.street) ?? null,
      roadside: pole.side,
      lampPostNumber: String(pole.number),
      lampNum: pole.heads,
      equipmentTypeId: pole.kind,
      lamppostTypeId: pole.shape,
      manufacturer: '江城杆业',
      model: poleModels[pole.shape],
      material: street.roadClass === 'park' ? 'aluminium' : 'steel',
      lampLocation: pole.location,
      ifIntersection: pole.intersection,
      controllerId: controllerIds[boxes.get(index) ?? 0] ?? null,
      ...lifeOfRoad(city, pole.street),
      status: 'enabled',
      ...placeOf(pole.at),
    };
  });
}

export function lampValues(
  city: City,
  { workId, roadIds, groupIds }: CityPlaces,
  controllerIds: readonly number[],
  poleIds: readonly number[],
  loopIds: readonly number[],
): Values[] {
  const numbers = new Map<number, number>();
  return city.lamps.map((lamp) => {
    const pole = city.poles[lamp.pole] as Pole;
    const street = city.streets[pole.street] as Street;
    const loop = city.loops[lamp.loop];
    const box = loop?.box ?? 0;
    const number = (numbers.get(box) ?? 0) + 1;
    numbers.set(box, number);
    return {
      equipmentCode: lamp.code,
      equipmentName: `${street.name} ${sideName(street, pole)} ${pole.number} 号灯${pole.heads > 1 ? (lamp.head === 0 ? '（左）' : '（右）') : ''}`,
      // Two heads of one controller have its number in common.
      equipmentNum: `LC-${pole.code.slice(3)}`,
      workId,
      roadId: roadIds.get(pole.street) ?? null,
      roadside: pole.side,
      equipmentGroup: groupIds.get(groupOf(city, pole)) ?? null,
      lamppostId: poleIds[lamp.pole] ?? null,
      ...placeOf(lampPlace(city, lamp)),
      power: lamp.model.ratedWatts,
      cct: lamp.model.cct,
      type: lamp.model.dimming,
      com: lamp.link,
      manufacturer: lamp.model.manufacturer,
      model: lamp.model.name,
      rtuId: lamp.direct ? null : (controllerIds[box] ?? null),
      loopId: loopIds[lamp.loop] ?? null,
      number,
      grouping: loop?.number ?? 0,
      savePower: loop?.number ?? 0,
      ...lifeOfRoad(city, pole.street),
      status: 'enabled',
    };
  });
}
