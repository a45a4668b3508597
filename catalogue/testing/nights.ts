import type { SunPlace } from '../lighting/sun.ts';
import { instantOf } from '../lighting/zone.ts';
import { resolveNight } from '../lighting/plan/night.ts';
import type { LampRole, Night, Period, Programme, Switching } from '../lighting/plan/programme.ts';

/** Short forms for tests of nights. */

export const place = (
  latitude: number,
  longitude: number,
  timeZone = 'Asia/Shanghai',
  sunOffsetMinutes = 0,
): SunPlace => ({
  latitude,
  longitude,
  timeZone,
  sunOffsetMinutes,
});

export const harbin = place(45.8, 126.535);
export const hangzhou = place(30.2, 120.2);
export const tromso = place(69.6492, 18.9553, 'Europe/Oslo');
export const newYork = place(40.7128, -74.006, 'America/New_York');
export const lordHowe = place(-31.55, 159.08, 'Australia/Lord_Howe');
export const kathmandu = place(27.7172, 85.324, 'Asia/Kathmandu');
export const apia = place(-13.83, -171.77, 'Pacific/Apia');

/** `sunset-10`, `23:00`, `middle+30`. */
function anchor(text: string): { at: string; offsetMinutes: number } {
  const [, at = '', offset = '0'] = /^(\w+|\d\d:\d\d)([+-]\d+)?$/.exec(text) ?? [];
  return { at, offsetMinutes: Number(offset) };
}

export const switching = (text: string, more: Partial<Switching> = {}): Switching => ({
  ...anchor(text),
  notBefore: null,
  notAfter: null,
  light: null,
  ...more,
});

/** `on 100`, `23:00 60 alternateOne`. */
export function period(text: string): Period {
  const [start = '', level = '', pattern = 'all'] = text.split(' ');
  return {
    start: start === 'on' ? 'on' : anchor(start),
    level: Number(level),
    pattern: pattern as Period['pattern'],
    rampSeconds: 0,
  };
}

export const programme = (
  on: string | Switching,
  off: string | Switching,
  periods: readonly string[],
  minimumMinutes = 0,
): Programme => ({
  on: typeof on === 'string' ? switching(on) : on,
  off: typeof off === 'string' ? switching(off) : off,
  periods: periods.map(period),
  minimumMinutes,
});

const clockOf = (at: number, { timeZone }: SunPlace): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** The steps of a night as the wall clock shows them: `19:27 100 · 03:44 0`. */
export const stepsOf = (night: Night, where: SunPlace): string =>
  night.steps.map(({ at, level }) => `${clockOf(at, where)} ${level}`).join(' · ');

export const nightText = (what: Programme, where: SunPlace, day: string, role?: LampRole): string =>
  stepsOf(resolveNight(what, where, day, role), where);

export const wall = (day: string, clock: string, { timeZone }: SunPlace): number =>
  instantOf(day, Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)), timeZone);
