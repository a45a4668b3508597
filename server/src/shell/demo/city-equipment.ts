import type { Values } from '../../../../catalogue/index.ts';
import { solarParts, type EquipmentFamily } from '../../../../simulator/city/equipment-kinds.ts';
import type { City } from '../../../../simulator/city/index.ts';
import { createRandom, seedOf, type Random } from '../../../../simulator/city/random.ts';
import type { Equipment, Pole, Street } from '../../../../simulator/city/types.ts';
import { lifeOf, placeOf, sideName, type CityPlaces } from './city-devices.ts';

/** What the register says of devices on smart poles and beside them, as an office that keeps its papers would have it. */

/** Channels of the demonstration by their names here. */
export const demoChannels = {
  things: { code: 'TD-01', name: '智慧灯杆物联接入', protocol: 'mqtt', host: 'iot.example.net', port: 8883 },
  video: { code: 'TD-02', name: '视频汇聚平台', protocol: 'gb28181', host: 'video.example.net', port: 5060 },
  voice: { code: 'TD-03', name: '求助与广播呼叫', protocol: 'sip', host: 'sip.example.net', port: 5060 },
  charging: { code: 'TD-04', name: '充电运营平台', protocol: 'ocpp', host: 'charge.example.net', port: 9000 },
} as const;
export type ChannelName = keyof typeof demoChannels;

/** What is the same for all devices of a family. */
interface Make {
  /** Third part of its address in the network of the demonstration: 10.20.n.x. */
  readonly net: number | null;
  readonly port?: number;
  readonly channel: ChannelName;
  readonly models: readonly (readonly [manufacturer: string, model: string, watts: number | null])[];
  readonly noun: (one: Equipment) => string;
  readonly more?: (one: Equipment, random: Random) => Values;
}

const words: Readonly<Record<string, string>> = {
  air: '空气质量站',
  noise: '噪声监测仪',
  weather: '气象站',
  dust: '扬尘监测仪',
  rainwater: '雨水井盖',
  sewage: '污水井盖',
  power: '电力井盖',
  telecom: '通信井盖',
  water: '给水井盖',
  residual: '其他垃圾桶',
  recyclable: '可回收物桶',
  food: '厨余垃圾桶',
  ac: '交流充电桩',
  dc: '直流快充桩',
};
const word = ({ kind }: Equipment): string => words[kind] ?? '';
const sipNumber = (kind: number, number: number): string => `3301060000${kind}${String(number).padStart(7, '0')}`;
const pad = (number: number, digits = 3): string => String(number).padStart(digits, '0');
/** A card number of the demonstration: 20 digits of no operator's range. */
const simNumber = (random: Random): string => `8986000000${String(random.whole(0, 9_999_999_999)).padStart(10, '0')}`;

const makes: Readonly<Record<EquipmentFamily, Make>> = {
  gateway: {
    net: 1,
    port: 8883,
    channel: 'things',
    models: [
      ['萤火照明', 'GW-500', 18],
      ['云杆科技', 'SPG-8', 15],
    ],
    noun: () => '智慧杆网关',
    more: ({ kind }, random) => ({
      type: kind,
      simNum: simNumber(random),
      simExpiry: `2027-${pad(random.whole(1, 12), 2)}-28`,
    }),
  },
  'information-screen': {
    net: 2,
    port: 443,
    channel: 'things',
    models: [
      ['辰光显示', 'P4-192', 350],
      ['辰光显示', 'P3-256', 420],
    ],
    noun: ({ kind }) => (kind === 'lcd' ? '公交站信息屏' : '信息发布屏'),
    more: ({ kind }) => ({
      informationType: kind,
      resolvingPower: kind === 'lcd' ? '1080×1920' : '192×320',
      volume: 40,
    }),
  },
  'public-broadcast': {
    net: 3,
    port: 5060,
    channel: 'voice',
    models: [['声远科技', 'IPS-40', 40]],
    noun: () => '广播音柱',
    more: ({ number }) => ({ sip: sipNumber(131, number), volume: 60 }),
  },
  'one-click-call': {
    net: 4,
    port: 5060,
    channel: 'voice',
    models: [['声远科技', 'SOS-2', 12]],
    noun: () => '一键求助',
    more: ({ number }) => ({ sip: sipNumber(134, number) }),
  },
  'security-camera': {
    net: 9,
    port: 554,
    channel: 'video',
    models: [
      ['望界视讯', 'IPC-4M-B', 14],
      ['望界视讯', 'PTZ-4M-20X', 36],
    ],
    noun: () => '治安摄像机',
    more: ({ number }) => ({ sip: sipNumber(132, number), channelNo: 1 }),
  },
  'environmental-monitor': {
    net: 5,
    port: 9001,
    channel: 'things',
    models: [['清源环境', 'AQM-10', 25]],
    noun: word,
    more: ({ kind, number }) => ({ type: kind, mn: `330106LP${pad(number, 16)}` }),
  },
  'charging-pile': {
    net: 6,
    port: 9000,
    channel: 'charging',
    models: [['驰电能源', '', null]],
    noun: word,
    more: ({ kind }) => ({
      type: kind,
      connectorNum: 1,
      power: kind === 'dc' ? 60_000 : 7000,
      model: kind === 'dc' ? 'DC-60' : 'AC-7',
      counterMax: 999_999.99,
    }),
  },
  wifi: {
    net: 7,
    port: 443,
    channel: 'things',
    models: [
      ['云杆科技', 'AP-6E', 22],
      ['信达网络', 'OAP-300', 18],
    ],
    noun: () => '公共热点',
    more: () => ({ ssid: 'Binjiang-Free-WiFi', band: 'dual' }),
  },
  'micro-station-5g': {
    net: 8,
    port: 443,
    channel: 'things',
    models: [['通宇无线', 'MS-3500', 400]],
    noun: () => '5G 微基站',
    more: () => ({ voltage: 220, frequency: 3500, counterMax: 999_999.99 }),
  },
  'pole-tilt-sensor': {
    net: null,
    channel: 'things',
    models: [['衡准传感', 'TLT-2', null]],
    noun: () => '倾斜传感器',
    more: (_, random) => ({ zeroX: random.whole(-40, 40) / 100, zeroY: random.whole(-40, 40) / 100 }),
  },
  'manhole-cover': {
    net: null,
    channel: 'things',
    models: [['安途井盖', 'SMC-700', null]],
    noun: word,
    more: ({ kind }) => ({
      type: kind,
      diameter: kind === 'power' ? 800 : 700,
      material: kind === 'telecom' ? 'composite' : 'ductile_iron',
    }),
  },
  'trash-can': {
    net: null,
    channel: 'things',
    models: [['净城环卫', 'SB-120', null]],
    noun: word,
    more: ({ kind, number }) => ({ type: kind, capacity: number % 3 === 0 ? 240 : 120 }),
  },
  'parking-lock': {
    net: null,
    channel: 'things',
    models: [['泊安科技', 'PL-NB2', null]],
    noun: ({ number }) => `${pad(number)} 号车位锁`,
    more: ({ number }) => ({ bayNo: `B-${pad(number)}` }),
  },
  'solar-controller': {
    net: null,
    channel: 'things',
    models: [['晨辉光电', 'SLC-12-120', solarParts.lampWatts]],
    noun: () => '太阳能路灯控制器',
    more: () => ({
      batteryType: 'lifepo4',
      batteryVoltage: 12.8,
      batteryCapacity: solarParts.capacityAh,
      pvPower: solarParts.panelWatts,
      overDischargeVoltage: 11.2,
      reconnectVoltage: 12.4,
      overChargeVoltage: 14.4,
      lightDelay: 5,
      sensitivity: 120,
    }),
  },
  'time-controller': {
    net: 11,
    port: 1884,
    channel: 'things',
    models: [['江城电气', 'TC-6L', 8]],
    noun: () => '时控器',
    more: ({ number }) => ({ type: number % 2 === 1 ? 'astronomical' : 'combined' }),
  },
};

/** The devices of a city that are neither lamps nor poles nor boxes, in the city's order. */
export function equipmentValues(
  city: City,
  { workId, roadIds }: CityPlaces,
  {
    poleIds,
    boxIds,
    channelIds,
  }: {
    readonly poleIds: readonly number[];
    readonly boxIds: readonly number[];
    readonly channelIds: Readonly<Record<ChannelName, number>>;
  },
  /** Of the gateways, which stand first in the city's order; empty: not known yet. */
  gatewayIds: readonly number[],
): { readonly family: EquipmentFamily; readonly values: Values }[] {
  return city.equipment.map((one) => {
    const make = makes[one.family];
    const random = createRandom(seedOf(city.seed, `register ${one.code}`));
    const [manufacturer = '', model = '', watts = null] = make.models[one.number % make.models.length] ?? [];
    const pole = city.poles[one.pole] as Pole;
    const street = city.streets[pole.street] as Street;
    const { serial, life } = lifeOf(city.seed, one.code);
    const poleId = poleIds[one.pole] ?? null;
    const where = `${street.name}${one.family === 'parking-lock' || one.family === 'charging-pile' ? '停车场' : ` ${sideName(street, pole)} ${pole.number} 号杆`}`;
    return {
      family: one.family,
      values: {
        equipmentCode: one.code,
        equipmentName:
          one.box === null
            ? `${where} ${make.noun(one)}`
            : `${city.boxes[one.box]?.name.replace('集控', '') ?? ''}${make.noun(one)}`,
        equipmentNum: serial,
        workId,
        roadId: roadIds.get(pole.street) ?? null,
        roadside: pole.side,
        ...(one.family === 'manhole-cover'
          ? { nearLamppost: poleId }
          : one.box === null
            ? { lamppostId: poleId }
            : { controlId: boxIds[one.box] ?? null }),
        ...placeOf(one.at),
        manufacturer,
        model,
        ...(watts === null ? {} : { power: watts }),
        ...life,
        ...(make.net === null
          ? {}
          : {
              ip: `10.${20 + Math.floor(one.number / 250)}.${make.net}.${1 + (one.number % 250)}`,
              port: make.port ?? null,
            }),
        channelId: channelIds[make.channel],
        gatewayId: one.gateway === null ? null : (gatewayIds[one.gateway] ?? null),
        status: 'enabled',
        ...make.more?.(one, random),
      },
    };
  });
}
