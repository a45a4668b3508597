import { familyOf } from '../../catalogue/index.ts';

export type Values = Record<string, number | boolean | string>;

/** What a device of a family measures: its example, moving a little; a lamp follows what it was told. */
export function createMeter(family: string, random: () => number) {
  const known = familyOf(family);
  const example = known?.exampleReading ?? {};
  const lamp = { level: Number(example['level'] ?? 100), lit: true };
  const fullPower = Number(example['power'] ?? 0) / Math.max(0.01, lamp.level / 100);
  let at = 0;

  function moved(key: string, value: number): number {
    const quantity = known?.quantity.get(key);
    if (quantity?.kind !== 'number') return value;
    const next = quantity.cumulative ? value + at * 0.01 : value * (1 + (random() - 0.5) * 0.02);
    return Number(Math.min(quantity.max, Math.max(quantity.min, next)).toFixed(quantity.decimals));
  }

  return {
    /** A full reading now. */
    read(): Values {
      at += 1;
      const values = Object.fromEntries(Object.entries(example).map(([key, value]) => [key, typeof value === 'number' ? moved(key, value) : value])) as Values;
      if (!('level' in values)) return values;
      const level = lamp.lit ? lamp.level : 0;
      return { ...values, level, commandLevel: level, relay: lamp.lit, power: Number((fullPower * level / 100).toFixed(1)) };
    },
    /** Does what it is told; an error's text when it cannot. */
    obey(command: string, args: Readonly<Record<string, unknown>>): string | null {
      if (command === 'on' || command === 'auto') Object.assign(lamp, { lit: true, level: 100 });
      else if (command === 'off') Object.assign(lamp, { lit: false });
      else if (command === 'dim') Object.assign(lamp, { lit: Number(args['level']) > 0, level: Number(args['level']) });
      else if (command !== 'read') return 'unknown command';
      return null;
    },
  };
}
