import { describe, expect, it } from 'vitest';
import fc from '../../testing/properties.ts';
import { levelInForce, levelOperations, planLayers, type LayerInput } from './stack.ts';

const at = 1000;
const input = (layer: LayerInput['layer'], op: LayerInput['op'], value: number | null, more = {}): LayerInput => ({
  layer,
  op,
  value,
  from: 0,
  until: null,
  ...more,
});
const scheme = input('scheme', 'set', 60);

describe('the layers of a lamp', () => {
  it.each<[string, LayerInput[], number, string]>([
    ['nothing is asked: full level until it has a clock', [], 100, 'powerUp'],
    ['the default programme of its template', [input('default', 'set', 80)], 80, 'default'],
    ['a scheme above the default', [input('default', 'set', 80), scheme], 60, 'scheme'],
    ['a scheme that is dark by day', [input('scheme', 'set', 0)], 0, 'scheme'],
    ['an exception above the scheme', [scheme, input('exception', 'set', 100)], 100, 'exception'],
    ['an exception that only raises, over more light', [scheme, input('exception', 'max', 50)], 60, 'scheme'],
    ['an exception that only lowers', [scheme, input('exception', 'min', 30)], 30, 'exception'],
    [
      'two exceptions, the later upon the earlier',
      [scheme, input('exception', 'set', 20), input('exception', 'max', 40)],
      40,
      'exception',
    ],
    ['a linkage that raises', [scheme, input('linkage', 'max', 90)], 90, 'linkage'],
    [
      'a linkage that lowers to the floor and no further',
      [scheme, input('linkage', 'set', 10, { floor: 50 })],
      50,
      'linkage',
    ],
    [
      'a linkage below a plan that is darker than the floor',
      [input('scheme', 'set', 20), input('linkage', 'set', 0, { floor: 50 })],
      20,
      'linkage',
    ],
    [
      'a command above everything planned',
      [scheme, input('exception', 'set', 100), input('manual', 'set', 0)],
      0,
      'manual',
    ],
    ['a command that has ended', [scheme, input('manual', 'set', 0, { until: at })], 60, 'scheme'],
    ['a command that has not begun', [scheme, input('manual', 'set', 0, { from: at + 1 })], 60, 'scheme'],
    [
      'the newest of two commands',
      [scheme, input('manual', 'set', 10), input('manual', 'set', 30, { from: 500 })],
      30,
      'manual',
    ],
    [
      'the end of the newest command returns to the programme, not to the older one',
      [scheme, input('manual', 'set', 10), input('manual', 'set', 30, { from: 500, until: 900 })],
      60,
      'scheme',
    ],
    [
      'an emergency raises what a command had put out',
      [scheme, input('manual', 'set', 0), input('emergency', 'max', 100)],
      100,
      'emergency',
    ],
    ['an emergency never lowers', [input('scheme', 'set', 100), input('emergency', 'set', 40)], 100, 'scheme'],
    ['a selector on site is observed', [scheme, input('local', 'set', null)], 60, 'local'],
    ['operations stay within 0 and 100', [scheme, input('exception', 'add', 70)], 100, 'exception'],
    ['a share of the level', [scheme, input('exception', 'mul', 50)], 30, 'exception'],
    ['less than 1 % is 1 %', [scheme, input('exception', 'mul', 1)], 1, 'exception'],
    ['what is taken away ends at dark', [scheme, input('exception', 'sub', 60)], 0, 'exception'],
  ])('%s', (_name, inputs, level, layer) => {
    expect(levelInForce(at, inputs)).toMatchObject({ level, layer });
    // The order in which layers are named does not matter, only that within one layer.
    expect(
      levelInForce(
        at,
        inputs.toSorted((a, b) => a.layer.localeCompare(b.layer)),
      ),
    ).toMatchObject({ level, layer });
  });

  it('are held to what the driver can, and dark stays dark', () => {
    expect(levelInForce(at, [input('scheme', 'set', 4)], 10).level).toBe(10);
    expect(levelInForce(at, [input('scheme', 'set', 0)], 10).level).toBe(0);
  });

  it('give a trace from the weakest to the strongest, with what each made of the level', () => {
    const exception = input('exception', 'max', 90);
    const manual = input('manual', 'set', 0, { until: 10 });
    expect(levelInForce(at, [manual, exception, scheme]).trace).toEqual([
      { input: scheme, applies: true, before: 100, after: 60 },
      { input: exception, applies: true, before: 60, after: 90 },
      { input: manual, applies: false, before: 90, after: 90 },
    ]);
  });
});

const inputs = fc.array(
  fc.record({
    layer: fc.constantFrom(...planLayers),
    op: fc.constantFrom(...levelOperations),
    value: fc.option(fc.integer({ min: 0, max: 100 }), { freq: 10 }),
    from: fc.integer({ min: 0, max: 2 * at }),
    until: fc.option(fc.integer({ min: 0, max: 2 * at })),
  }),
  { maxLength: 8 },
);

describe('for any layers', () => {
  it('the level is 0 or 1 to 100, and the last step of the trace', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const { level, trace } = levelInForce(at, given);
        expect(level === 0 || (level >= 1 && level <= 100)).toBe(true);
        expect(level).toBe(trace.at(-1)?.after ?? 100);
        for (const [index, step] of trace.entries()) expect(step.before).toBe(trace[index - 1]?.after ?? 100);
      }),
    );
  });

  it('an emergency gives no less light than there would be without it', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const without = given.filter(({ layer }) => layer !== 'emergency');
        expect(levelInForce(at, given).level).toBeGreaterThanOrEqual(levelInForce(at, without).level);
      }),
    );
  });

  it('what does not hold changes nothing', () => {
    fc.assert(
      fc.property(inputs, (given) => {
        const held = given.filter(({ layer, from, until }) =>
          layer === 'manual' ? from <= at : from <= at && (until === null || at < until),
        );
        const { level, layer } = levelInForce(at, given);
        expect(levelInForce(at, held)).toMatchObject({ level, layer });
      }),
    );
  });

  it('a command in force hides whatever is planned, unless an emergency raises it', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 100 }), (given, value) => {
        const command = input('manual', 'set', value, { from: at });
        const remote = given.filter(({ layer }) => layer !== 'local');
        const calm = remote.filter(({ layer }) => layer !== 'emergency');
        expect(levelInForce(at, [...calm, command]).level).toBe(value);
        expect(levelInForce(at, [...remote, command]).level).toBeGreaterThanOrEqual(value);
      }),
    );
  });
});
