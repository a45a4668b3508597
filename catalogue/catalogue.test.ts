import { describe, expect, test } from 'vitest';
import addFormats from 'ajv-formats';
import { Ajv } from 'ajv';
import {
  derivedColumns,
  faults,
  families,
  fieldFromText,
  fieldToText,
  fromRow,
  languages,
  quantities,
  readField,
  records,
  ruleNames,
  schemaOfField,
  simulateField,
  states,
  toRow,
  validate,
  validateDevice,
  validateReading,
  familyOf,
  namesIn,
  type Field,
  type Values,
} from './index.ts';
import { idCard, ipv4, phone, sim } from './fields/pattern.ts';
import { integer } from './fields/integer.ts';
import { number } from './fields/number.ts';
import { sharedRules } from './families/shared.ts';
import { simulateQuantity, wordsOf } from './quantities/index.ts';
import { texts } from './locales/index.ts';

/** mulberry32: the same samples every run. */
function seeded(seed: number) {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const flat = (tree: object, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, v]) =>
    typeof v === 'string' ? [[`${path}${key}`, v] as [string, string]] : flat(v as object, `${path}${key}.`),
  );
const ajv = addFormats.default(new Ajv({ strict: false }));
const endless = 'x'.repeat(1_000_000);
const owners = [...families, ...records];
const allFields: [string, Field][] = owners.flatMap((owner) =>
  owner.fields.map((f) => [owner.key, f] as [string, Field]),
);
const lamp = familyOf('single-lamp-controller')!;
const pole = familyOf('lamp-pole')!;
const problemsOf = (family: typeof lamp, input: unknown, mode: 'create' | 'update' = 'create', current?: Values) => {
  const result = validateDevice(family, input, mode, current);
  return 'problems' in result ? result.problems.map((p) => `${p.field}:${p.rule}`).sort() : [];
};

describe.each(languages)('texts in %s', (language) => {
  const names = namesIn(language);
  const missing = (said: string, path: string) => expect(said, path).not.toBe(path);
  test('every family, record, field, option, unit, quantity, command, fault, state and rule has a name', () => {
    for (const family of families) missing(names.family(family.key), `family.${family.key}`);
    for (const record of records) {
      missing(names.record(record.key), `record.${record.key}`);
      for (const use of record.usedBy) missing(names.usedBy(use.text), `usedBy.${use.text}`);
    }
    for (const owner of owners)
      for (const section of owner.sections) missing(names.section(section.key), `section.${section.key}`);
    for (const [owner, field] of allFields) {
      missing(names.field(field.key, owner), `field.${field.key}`);
      if (field.kind === 'select')
        for (const o of field.options) missing(names.option(field.optionSet, o), `option.${field.optionSet}.${o}`);
      if ('unit' in field && field.unit) missing(names.unit(field.unit), `unit.${field.unit}`);
    }
    for (const q of quantities.values()) {
      missing(names.quantity(q.key), `quantity.${q.key}`);
      if (q.kind === 'number') missing(names.unit(q.unit), `unit.${q.unit}`);
      const options = q.kind === 'enum' ? q.options : q.kind === 'boolean' ? ['true', 'false'] : [];
      for (const o of options) missing(names.option(wordsOf(q), o), `option.${wordsOf(q)}.${o}`);
    }
    for (const command of families.flatMap((f) => f.commands)) {
      missing(names.command(command.key), `command.${command.key}`);
      for (const arg of command.args) missing(names.field(arg.key), `field.${arg.key}`);
    }
    for (const column of derivedColumns) missing(names.column(column), `field.${column}`);
    for (const { code } of faults) missing(names.fault(code), `fault.${code}`);
    for (const state of states) missing(names.state(state), `state.${state}`);
    for (const rule of ruleNames) missing(names.rule(rule), `rule.${rule}`);
  });
  test('the same keys and placeholders as the source', () => {
    const holes = (t: string) => [...t.matchAll(/\{\w+\}/g)].map(String).sort();
    const source = flat(texts['zh-CN']).map(([key, t]) => [key, holes(t)]);
    expect(flat(texts[language]).map(([key, t]) => [key, holes(t)])).toEqual(source);
  });
  test('no text is left in Chinese or English', () => {
    // Units, trade names and words that are spelled alike in both languages.
    const alike =
      /^(unit\..+|option\.(dimming\.(analog|pwm|dali)|link\.(zigbee|lora|nb_iot|cellular)|channelProtocol\.(?!other).+|wifiBand\.(2_4|5))|quantity\.pm(25|10))$/;
    const inBothScripts = (key: string) => language === 'zh-TW' && key.startsWith('option.boolean.');
    // What stands between the parts of a sentence is in no language.
    const isWritten = (t: string) => /\p{L}/u.test(t.replaceAll(/\{\w+\}/g, ''));
    for (const other of ['zh-CN', 'en-US'] as const) {
      if (other === language) continue;
      const theirs = new Map(flat(texts[other]));
      expect(
        flat(texts[language]).filter(
          ([key, t]) => isWritten(t) && !alike.test(key) && !inBothScripts(key) && t === theirs.get(key),
        ),
      ).toEqual([]);
    }
  });
});

describe.each(allFields.map(([owner, field]) => [`${owner}.${field.key}`, field] as const))(
  'field %s',
  (_name, field) => {
    test('its samples pass its own schema, read back as themselves and survive CSV text', () => {
      const random = seeded(7);
      const matches = ajv.compile(schemaOfField(field));
      for (let i = 0; i < 25; i += 1) {
        const sample = simulateField(field, random);
        expect(matches(sample), JSON.stringify(sample)).toBe(true);
        expect(readField(field, sample)).toEqual({ value: sample });
        if (field.kind !== 'secret')
          expect(fieldFromText(field, fieldToText(field, sample))).toEqual({ value: sample });
      }
      expect(fieldFromText(field, fieldToText(field, null))).toEqual({ value: null });
    });
    test('hostile values are refused, never thrown at', () => {
      for (const bad of [
        Number.NaN,
        Infinity,
        -Infinity,
        1e400,
        {},
        [],
        [[]],
        () => 1,
        Symbol('x'),
        '\u0000',
        endless,
        JSON.parse('{"__proto__":{"a":1}}'),
      ]) {
        const result = readField(field, bad);
        expect('fault' in result, String(bad).slice(0, 20)).toBe(true);
        if ('fault' in result) expect(ruleNames).toContain(result.fault.rule);
      }
    });
  },
);

describe.each(owners.map((owner) => [owner.key, owner] as const))('%s', (_key, owner) => {
  test('its examples are valid and go through a row and back', () => {
    for (const example of owner.examples) {
      const result = validate(owner, example, 'create');
      expect(result).toHaveProperty('value');
      if (!('value' in result) || !('quantities' in owner)) continue;
      const { columns, props } = toRow(owner, result.value);
      expect(fromRow(owner, { ...columns, props })).toEqual(result.value);
    }
  });
  test('no field is declared twice, every field is in one section or derived from the header', () => {
    const keys = owner.fields.map((f) => f.key);
    expect(new Set(keys).size).toBe(keys.length);
    const placed = owner.sections.flatMap((s) => s.fields);
    expect(new Set(placed).size).toBe(placed.length);
    expect(keys.filter((key) => !placed.includes(key))).toEqual([]);
  });
});

describe.each(families.filter((f) => f.exampleReading).map((f) => [f.key, f] as const))(
  'readings of %s',
  (_key, family) => {
    test('the example is believed whole', () => {
      expect(validateReading(family, family.exampleReading)).toEqual({
        values: family.exampleReading,
        rejected: [],
        unknown: 0,
      });
    });
    test('what is simulated is believed', () => {
      const random = seeded(11);
      for (let i = 0; i < 25; i += 1) {
        const values = Object.fromEntries(
          family.quantities.map((quantity) => [quantity.key, simulateQuantity(quantity, random)]),
        );
        expect(validateReading(family, values)).toEqual({ values, rejected: [], unknown: 0 });
      }
    });
    test('out of range, wrong type and unknown never reach the store', () => {
      for (const q of family.quantities) {
        const bad: unknown[] =
          q.kind === 'number'
            ? [Number.NaN, Infinity, 1e400, q.min - 1, q.max + 1, '5', true, {}, []]
            : ['x'.repeat(9), 3, {}, []];
        for (const v of bad) {
          const checked = validateReading(family, { [q.key]: v, strange: 1 });
          expect(checked.values).toEqual({});
          expect(checked.rejected.map((r) => r.key)).toEqual([q.key]);
          expect(checked.unknown).toBe(1);
        }
      }
      for (const v of [null, undefined, 'x', 3, [], [1]])
        expect(validateReading(family, v)).toEqual({ values: {}, rejected: [], unknown: 0 });
      expect(validateReading(family, JSON.parse('{"__proto__": {"power": 5}, "constructor": 1}')).values).toEqual({});
      expect(validateReading(family, { [family.quantities[0]!.key]: null })).toEqual({
        values: {},
        rejected: [],
        unknown: 0,
      });
    });
  },
);

test.each([
  [phone('mobile'), '13800138000', ['12800138000', '1380013800', '138 0013 8000']],
  [ipv4('ip'), '192.168.1.254', ['256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4']],
  [sim('simNum'), '89860412345678901234', ['898604123456789012345', '8986A', '']],
  [idCard('idCard'), '11010519491231002X', ['11010519491331002X', '1101051949123100', 'abc']],
] as const)('%o accepts %s and refuses %j', (field, good, bad) => {
  expect(readField(field, ` ${good} `)).toEqual({ value: good });
  for (const text of bad) expect(readField(field, text)).toEqual({ fault: { rule: field.kind } });
});

describe.each(families.map((family) => [family.key, family] as const))('the list and rules of %s', (_key, family) => {
  test('its list begins with code and name and shows project and state', () => {
    expect(family.listColumns.slice(0, 2)).toEqual(['equipmentCode', 'equipmentName']);
    for (const column of ['workId', 'status', 'latchedPosition', 'updateTime'])
      expect(family.listColumns).toContain(column);
    expect(new Set(family.listColumns).size).toBe(family.listColumns.length);
    if (family.report) expect(family.listColumns).toContain('isOnline');
  });
  test('the shared rules hold for it, and every rule is stated in words', () => {
    expect(family.rules.slice(0, sharedRules.length)).toEqual(sharedRules);
    for (const rule of family.rules) expect(rule.statement).toMatch(/^\S.+\.$/);
  });
  test('what reports can be read, and says how often it reports', () => {
    expect(family.report === null).toBe(family.quantities.length === 0);
    expect(family.commands.some((command) => command.key === 'read')).toBe(family.report !== null);
  });
});

test('up to two or three decimals, and whole numbers', () => {
  expect(readField(number('n', { min: 0, max: 9, decimals: 2 }), 1.25)).toEqual({ value: 1.25 });
  expect(readField(number('n', { min: 0, max: 9, decimals: 2 }), 1.255)).toEqual({
    fault: { rule: 'decimals', params: { decimals: 2 } },
  });
  expect(readField(number('n', { min: 0, max: 9, decimals: 3 }), 1.255)).toEqual({ value: 1.255 });
  expect(readField(integer('n', { min: 0, max: 9 }), 1.5)).toEqual({ fault: { rule: 'whole' } });
  expect(fieldFromText(integer('n', { min: 0, max: 9 }), '1.5')).toEqual({ fault: { rule: 'whole' } });
});

describe('rules over several fields', () => {
  test.each([
    ['transformer', { loadRate: 40 }, ['capacity:complete']],
    ['transformer', { loadRate: 40.555, capacity: 100 }, ['loadRate:decimals']],
    ['control-box', { indicateCt: '100/5' }, ['powerType:complete']],
    ['control-box', { indicateCt: '100-5', powerType: 'three_phase' }, ['indicateCt:ratio']],
    [
      'central-controller',
      { rtuType: 'metering', curentAcquisitionMode: 'none' },
      ['curentAcquisitionMode:contradicts'],
    ],
    ['time-controller', { type: 'astronomical' }, ['latitude:complete', 'longitude:complete']],
    ['time-controller', { type: 'fixed' }, []],
    ['gateway', { port: 1883 }, ['ip:complete']],
    ['gateway', { simExpiry: '2027-01-31' }, ['simNum:complete']],
    ['gateway', { simNum: '1'.repeat(21) }, ['simNum:sim']],
    ['solar-controller', { overDischargeVoltage: 12, reconnectVoltage: 11 }, ['reconnectVoltage:above']],
    [
      'solar-controller',
      { overChargeVoltage: 50.01, lightDelay: 31, sensitivity: 256 },
      ['lightDelay:range', 'overChargeVoltage:range', 'sensitivity:range'],
    ],
    ['solar-controller', { batteryType: 'custom' }, ['overChargeVoltage:complete', 'overDischargeVoltage:complete']],
    ['information-screen', { resolvingPower: 'large' }, ['resolvingPower:resolution']],
    ['one-click-call', { sip: '3301', phone: '123' }, ['channelId:complete', 'phone:phone']],
    ['environmental-monitor', { mn: 'A1' }, ['type:complete']],
    ['charging-pile', { type: 'ac', power: 60000 }, ['power:contradicts']],
    ['charging-pile', { type: 'dc', power: 60000 }, []],
    ['manhole-cover', { diameter: 700.5 }, ['diameter:whole']],
    ['manhole-cover', { lamppostId: 1 }, ['lamppostId:unknown']],
    ['pole-tilt-sensor', { zeroX: 1 }, ['lamppostId:required', 'zeroY:complete']],
    [
      'security-camera',
      { sip: '3301', auType: true, username: 'u' },
      ['channelId:complete', 'channelId:withAuthentication', 'password:withAuthentication'],
    ],
  ])('%s %j → %j', (key, more, expected) =>
    expect(problemsOf(familyOf(key)!, { equipmentCode: 'X1', equipmentName: 'x', workId: 1, ...more })).toEqual(
      expected,
    ),
  );

  const base = { equipmentCode: 'X1', equipmentName: 'x', workId: 1 };
  test('all problems at once, by wire name', () => {
    expect(
      problemsOf(lamp, {
        equipmentCode: '',
        ip: '1.2.3',
        port: 0,
        longitude: 200,
        latitude: 30,
        power: 5000,
        strange: 1,
        auType: true,
      }),
    ).toEqual([
      'channelId:withAuthentication',
      'equipmentCode:required',
      'equipmentName:required',
      'ip:ipv4',
      'longitude:longitude',
      'password:withAuthentication',
      'port:port',
      'power:range',
      'strange:unknown',
      'username:withAuthentication',
      'workId:required',
    ]);
  });
  test.each([
    [{ longitude: 120 }, ['latitude:together']],
    [{ latitude: 30 }, ['longitude:together']],
    [{ longitude: 120, latitude: 30 }, []],
    [{ auType: true, username: 'u', password: 'p', channelId: '1' }, []],
    [{ auType: false }, []],
    [{ leaveFactoryTime: '2024-02-30' }, ['leaveFactoryTime:date']],
    [{ leaveFactoryTime: '2024-02-29', installTime: '2024-02-28' }, ['installTime:notBefore']],
    [{ installTime: '2024-03-01', disabledTime: '2024-02-01' }, ['disabledTime:notBefore']],
    [{ leaveFactoryTime: '2024-02-29', warrantyUntil: '2024-02-28' }, ['warrantyUntil:notBefore']],
    [{ pic: 'data:image/svg+xml;base64,PHN2Zz4=' }, ['pic:picture']],
    [{ pic: 'data:image/png;base64,PHN2Zz4=' }, ['pic:picture']],
    [{ equipmentCode: 'a\tb' }, ['equipmentCode:code']],
    [{ equipmentCode: '(補' }, []],
    [{ equipmentCode: '-a' }, ['equipmentCode:code']],
    [{ equipmentCode: 'a\u202eb' }, ['equipmentCode:code']],
    [{ equipmentCode: 'x\u3164' }, ['equipmentCode:code']],
    [{ equipmentName: 'a\u202eb' }, ['equipmentName:characters']],
    [{ power: 10.55 }, ['power:decimals']],
    [{ roadId: '12' }, []],
    [{ roadId: '12; drop' }, ['roadId:type']],
  ])('%j → %j', (more, expected) => expect(problemsOf(lamp, { ...base, ...more })).toEqual(expected));
  test.each([
    [{ lampNum: 1 }, []],
    [{ lampNum: 2 }, ['lamppostTypeId:capacityUnknown']],
    [{ lampNum: 2, lamppostTypeId: 'single_arm' }, ['lampNum:capacity']],
    [{ lampNum: 2, lamppostTypeId: 'double_arm' }, []],
    [{ lampNum: 25, lamppostTypeId: 'high_mast' }, ['lampNum:range']],
  ])('pole %j → %j', (more, expected) =>
    expect(problemsOf(pole, { ...base, equipmentTypeId: 'equipment_type_24', ...more })).toEqual(expected),
  );
  test('an update judges the record that would result; null empties, absent stays', () => {
    const current = { ...base, longitude: 120, latitude: 30 };
    expect(problemsOf(lamp, { longitude: null }, 'update', current)).toEqual(['longitude:together']);
    expect(problemsOf(lamp, { equipmentName: null }, 'update', current)).toEqual(['equipmentName:required']);
    expect(validateDevice(lamp, { longitude: null, latitude: null }, 'update', current)).toEqual({
      value: { longitude: null, latitude: null },
    });
    expect(validateDevice(lamp, {}, 'update', current)).toEqual({ value: {} });
  });
});

test('a command that several families have is declared alike by all of them', () => {
  const shape = ({
    key,
    lasting,
    question,
    emergency,
    light,
    proves,
    args,
  }: (typeof families)[number]['commands'][number]) =>
    [
      key,
      JSON.stringify([
        lasting,
        question === true,
        emergency === true,
        light !== undefined,
        proves !== undefined,
        args.map((arg) => arg.key),
      ]),
    ] as const;
  const shapes = Map.groupBy(
    families.flatMap(({ commands }) => commands.map(shape)),
    ([key]) => key,
  );
  expect([...shapes].filter(([, found]) => new Set(found.map(([, one]) => one)).size > 1).map(([key]) => key)).toEqual(
    [],
  );
});
