import type { Command, CrossRule, Section, Values } from '../family.ts';
import type { Field, FieldValue } from '../fields/index.ts';
import { boolean } from '../fields/boolean.ts';
import { code } from '../fields/code.ts';
import { coordinate } from '../fields/coordinate.ts';
import { date } from '../fields/date.ts';
import { number } from '../fields/number.ts';
import { ipv4 } from '../fields/pattern.ts';
import { picture } from '../fields/picture.ts';
import { port } from '../fields/port.ts';
import { reference } from '../fields/reference.ts';
import { secret } from '../fields/secret.ts';
import { select } from '../fields/select.ts';
import { text } from '../fields/text.ts';

/** Fields of every family (specified 9.1), in the specified spelling. */
export const sharedFields: readonly Field[] = [
  code('equipmentCode', { required: true, maxLength: 64, column: 'equipment_code', sort: true }),
  text('equipmentName', { required: true, maxLength: 64, column: 'equipment_name', sort: true }),
  code('equipmentNum', { maxLength: 64, sort: true }),
  reference('workId', { required: true, to: { record: 'work-area' }, column: 'work_area_id', filter: true }),
  reference('roadId', { to: { record: 'road' }, column: 'road_id', filter: true, sort: true }),
  select('roadside', { optionSet: 'roadside', options: ['left', 'right', 'median'], filter: true }),
  reference('equipmentGroup', { to: { record: 'equipment-group' }, column: 'group_id', filter: true }),
  reference('lamppostId', { to: { family: 'lamp-pole' }, column: 'pole_id', filter: true, sort: true }),
  text('area', { maxLength: 64 }),
  coordinate('longitude', { column: 'longitude' }),
  coordinate('latitude', { column: 'latitude' }),
  text('manufacturer', { maxLength: 64, sort: true }),
  text('model', { maxLength: 64, sort: true }),
  number('power', { unit: 'W', decimals: 1, min: 0, max: 100000, column: 'rated_watts', sort: true }),
  select('status', {
    optionSet: 'status',
    options: ['enabled', 'disabled'],
    initial: 'enabled',
    column: 'enabled',
    filter: true,
    sort: true,
  }),
  date('leaveFactoryTime', { sort: true }),
  date('installTime', { sort: true }),
  date('disabledTime'),
  date('warrantyUntil', { sort: true }),
  ipv4('ip'),
  port('port'),
  boolean('auType'),
  text('account', { maxLength: 64 }),
  text('username', { maxLength: 64 }),
  secret('password', { maxLength: 128 }),
  code('securityNum', { maxLength: 64 }),
  reference('channelId', { to: { record: 'channel' }, column: 'channel_id', filter: true, sort: true }),
  reference('gatewayId', { to: { family: 'gateway' }, column: 'gateway_id', filter: true }),
  text('rmark', { maxLength: 500, lines: true }),
  picture('pic', { maxCharacters: 400_000 }),
];

/** The greatest value that an energy meter shows, with all its decimals. Empty: the range of the quantity holds. */
export const counterMaxField = number('counterMax', { unit: 'kWh', decimals: 3, min: 1, max: 1e9 });

/** The shared fields except some that make no sense for a family (a pole does not hang on a pole). */
export const sharedExcept = (...keys: string[]): readonly Field[] => sharedFields.filter((f) => !keys.includes(f.key));

/** Replaces shared fields by ones with narrower limits, in place. */
export const narrowed = (fields: readonly Field[], ...by: Field[]): readonly Field[] =>
  fields.map((f) => by.find((b) => b.key === f.key) ?? f);

const empty = (values: Values, key: string): boolean => (values[key] ?? null) === null;

/** A position has both numbers or none. */
export const together: CrossRule = {
  name: 'together',
  statement: 'Longitude and latitude are given both or not at all.',
  check: (v) =>
    empty(v, 'longitude') === empty(v, 'latitude')
      ? []
      : [{ field: empty(v, 'longitude') ? 'longitude' : 'latitude', rule: 'together' }],
};

/** With authentication on, user name, password and channel are required (specified 9.6). */
export const withAuthentication: CrossRule = {
  name: 'withAuthentication',
  statement: 'With `auType` on, `username`, `password` and `channelId` are required.',
  check: (v) =>
    v['auType'] !== true
      ? []
      : ['username', 'password', 'channelId']
          .filter((key) => empty(v, key))
          .map((field) => ({ field, rule: 'withAuthentication' })),
};

/** A device leaves the factory, then is installed, then is taken out of use. */
export const datesInOrder: CrossRule = {
  name: 'notBefore',
  statement:
    '`leaveFactoryTime`, `installTime` and `disabledTime` are in this order; `warrantyUntil` is not before `leaveFactoryTime`.',
  check: (v) =>
    [
      ['leaveFactoryTime', 'installTime'],
      ['installTime', 'disabledTime'],
      ['leaveFactoryTime', 'warrantyUntil'],
    ].flatMap(([from = '', to = '']) => {
      const [a, b] = [v[from] ?? null, v[to] ?? null];
      return typeof a === 'string' && typeof b === 'string' && b < a
        ? [{ field: to, rule: 'notBefore' as const, params: { date: a } }]
        : [];
    }),
};

/** If `key` is given (or has one of `values`), the fields `needed` are required. */
export const complete = (key: string, needed: readonly string[], values?: readonly FieldValue[]): CrossRule => ({
  name: 'complete',
  statement: `With \`${key}\`${values ? ` ${values.map((v) => `\`${String(v)}\``).join(' or ')}` : ''} given, ${needed.map((n) => `\`${n}\``).join(', ')} must be given too.`,
  check: (v) =>
    empty(v, key) || (values && !values.includes(v[key] ?? null))
      ? []
      : needed.filter((other) => empty(v, other)).map((field) => ({ field, rule: 'complete' })),
});

/** An expiry date needs its card. */
export const simExpiryNeedsSim: CrossRule = complete('simExpiry', ['simNum']);

/** A port needs its address. */
export const portNeedsIp: CrossRule = complete('port', ['ip']);

export const sharedRules: readonly CrossRule[] = [together, withAuthentication, datesInOrder];

/** Sections at the beginning of most forms: identity and place. */
export const identitySection = (...own: string[]): Section => ({
  key: 'identity',
  fields: ['equipmentCode', 'equipmentName', 'equipmentNum', ...own, 'status', 'power'],
});
export const placeSection: Section = {
  key: 'place',
  fields: ['workId', 'roadId', 'roadside', 'equipmentGroup', 'lamppostId', 'area', 'longitude', 'latitude'],
};

/** The columns of a device list (specified 9.3), with those of the family between them. */
export const listOf = (own: readonly string[], latest: readonly string[]): readonly string[] => [
  'equipmentCode',
  'equipmentName',
  'ip',
  'manufacturer',
  ...own,
  'workId',
  'roadId',
  'lamppostId',
  'isOnline',
  ...latest.map((key) => `latest.${key}`),
  'status',
  'latchedPosition',
  'updateTime',
];

/** Every family that reports answers it. */
export const readCommand: Command = { key: 'read', args: [], lasting: false, question: true };

/** Sections at the end of every family's form. */
export const connectionSection: Section = {
  key: 'connection',
  fields: ['ip', 'port', 'channelId', 'gatewayId', 'auType', 'account', 'username', 'password', 'securityNum'],
};
export const lifeSection: Section = {
  key: 'life',
  fields: ['manufacturer', 'model', 'leaveFactoryTime', 'installTime', 'disabledTime', 'warrantyUntil', 'pic', 'rmark'],
};
