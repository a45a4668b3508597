import type { Values } from './family.ts';

/**
 * What is specified of devices (specified 9.1 to 9.9), one row a sentence. The tests of catalogue, server and console
 * share these cases. A rule: the sentence (specified 9.5), a family, the values given besides code, name and project,
 * and the fields that are refused.
 */
export const specifiedRules: readonly (readonly [
  rule: string,
  family: string,
  values: Values,
  refused: readonly string[],
])[] = [
  [
    'names, codes and organisation cannot be empty',
    'lamp-pole',
    { equipmentCode: null, equipmentName: '  ', workId: null },
    ['equipmentCode:required', 'equipmentName:required', 'workId:required'],
  ],
  [
    'with authentication on, user name, password and channel are required',
    'single-lamp-controller',
    { auType: true },
    ['channelId:withAuthentication', 'password:withAuthentication', 'username:withAuthentication'],
  ],
  ['SIM number up to 20 pure digits: too long', 'gateway', { simNum: '123456789012345678901' }, ['simNum:sim']],
  ['SIM number up to 20 pure digits: not a digit', 'central-controller', { simNum: '8986A' }, ['simNum:sim']],
  ['diameter must be a whole number', 'manhole-cover', { diameter: 700.5 }, ['diameter:whole']],
  ['port 1-65535: below', 'gateway', { ip: '10.0.0.1', port: 0 }, ['port:port']],
  ['port 1-65535: above', 'gateway', { ip: '10.0.0.1', port: 65536 }, ['port:port']],
  ['dotted IPv4', 'wifi', { ip: '10.0.0.256' }, ['ip:ipv4']],
  ['phone format check', 'one-click-call', { phone: '12345' }, ['phone:phone']],
  [
    'latitude and longitude must be correct',
    'trash-can',
    { longitude: 181, latitude: -91 },
    ['latitude:latitude', 'longitude:longitude'],
  ],
  ['latitude and longitude must be correct: one alone', 'trash-can', { longitude: 120 }, ['latitude:together']],
  [
    'lamp-source count cannot exceed the pole’s capacity',
    'lamp-pole',
    { lamppostTypeId: 'double_arm', lampNum: 3 },
    ['lampNum:capacity'],
  ],
  [
    'please check whether the information is complete',
    'time-controller',
    { type: 'astronomical' },
    ['latitude:complete', 'longitude:complete'],
  ],
  [
    'only JPG/PNG image uploads',
    'security-camera',
    { pic: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7' },
    ['pic:picture'],
  ],
  [
    'non-negative number with up to 2 decimals',
    'transformer',
    { capacity: 100, loadRate: 40.555 },
    ['loadRate:decimals'],
  ],
  ['non-negative number: below zero', 'solar-controller', { batteryCapacity: -1 }, ['batteryCapacity:range']],
  ['voltage not above 50V', 'solar-controller', { batteryVoltage: 50.01 }, ['batteryVoltage:range']],
  ['delay not above 30 minutes', 'solar-controller', { lightDelay: 31 }, ['lightDelay:range']],
  ['sensitivity 0-255', 'solar-controller', { sensitivity: 256 }, ['sensitivity:range']],
];

/** The field behind the heading `type` (specified 9.3), by family; others use the model. */
export const typeColumns: Readonly<Record<string, string>> = {
  'lamp-pole': 'equipmentTypeId',
  'single-lamp-controller': 'type',
  'central-controller': 'rtuType',
  'time-controller': 'type',
  'solar-controller': 'model',
  gateway: 'type',
  transformer: 'mounting',
  'control-box': 'controlType',
  'information-screen': 'informationType',
  'public-broadcast': 'model',
  'one-click-call': 'model',
  'security-camera': 'model',
  'environmental-monitor': 'type',
  'charging-pile': 'type',
  wifi: 'model',
  'micro-station-5g': 'model',
  'pole-tilt-sensor': 'model',
  'manhole-cover': 'type',
  'trash-can': 'type',
  'parking-lock': 'model',
};

/** Shared fields (specified 9.1) that a family does not have, with the field that replaces them. */
export const replacedFields: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  // A pole hangs on no pole.
  'lamp-pole': { lamppostId: null },
  // A cover lies near a pole, not on one.
  'manhole-cover': { lamppostId: 'nearLamppost' },
};

export const sharedFieldsOfSpecification: readonly string[] = [
  'equipmentName',
  'equipmentGroup',
  'equipmentCode',
  'equipmentNum',
  'manufacturer',
  'model',
  'longitude',
  'latitude',
  'leaveFactoryTime',
  'installTime',
  'disabledTime',
  'status',
  'rmark',
  'pic',
  'workId',
  'roadId',
  'roadside',
  'lamppostId',
  'area',
  'ip',
  'port',
  'auType',
  'account',
  'username',
  'password',
  'securityNum',
  'power',
  'channelId',
  'gatewayId',
];

/** Type-specific fields (specified 9.2). */
export const ownFieldsOfSpecification: Readonly<Record<string, readonly string[]>> = {
  transformer: ['mounting', 'capacity', 'loadRate'],
  'control-box': [
    'transformerId',
    'controlType',
    'powerType',
    'capacity',
    'facilitySize',
    'swichType',
    'guardSwitch',
    'indicateCt',
    'address',
  ],
  'central-controller': ['simNum', 'curentAcquisitionMode', 'controllerId', 'rtuType', 'modelCode'],
  'single-lamp-controller': ['grouping', 'number', 'savePower', 'type', 'com', 'rtuId'],
  'lamp-pole': ['equipmentTypeId', 'lamppostTypeId', 'material', 'controllerId', 'lampLocation', 'ifIntersection'],
  gateway: ['type'],
  'information-screen': ['informationType', 'resolvingPower'],
  'security-camera': ['sip', 'channelId', 'securityCode', 'channelNo'],
  'manhole-cover': ['nearLamppost', 'type', 'diameter', 'material'],
  'time-controller': ['controlId', 'type'],
  'micro-station-5g': ['voltage', 'frequency'],
};
