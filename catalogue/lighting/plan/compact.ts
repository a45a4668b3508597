import type { SunPlace } from '../sun.ts';
import type { Day } from '../zone.ts';
import type { NamedProgramme } from './scheme.ts';
import type {
  Anchor,
  LampPlan,
  LampRole,
  LightWindow,
  Pattern,
  Period,
  Programme,
  Rotation,
  Switching,
} from './programme.ts';
import { noRole } from './programme.ts';

/**
 * The compact form of a lamp's plan, as devices get it. What is left out has its usual value: no bound, no light
 * control, pattern `all`, no ramp, a lamp of no row, a driver that holds every level.
 */
export interface CompactPlan {
  readonly scheme: string;
  readonly version: number;
  /** Twelve hexadecimal digits over everything else of the plan. */
  readonly hash: string;
  /** The first lighting day on which it holds. */
  readonly from: Day;
  readonly programmes: CompactProgramme[];
  /** Lighting days by programme, both ends included; ascending, without overlap. */
  readonly days: CompactSpan[];
  /** The programme of all other days. */
  readonly default: number;
  readonly cycle?: CompactCycle;
  readonly minLevel?: number;
}

export interface CompactProgramme {
  readonly key: number;
  readonly on: CompactSwitching;
  readonly off: CompactSwitching;
  readonly minimumMinutes: number;
  readonly periods: CompactPeriod[];
}

interface CompactSwitching {
  readonly at: string;
  readonly offsetMinutes: number;
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly light?: CompactLight;
}

interface CompactLight {
  readonly lux: number;
  readonly sensitivity?: number;
  readonly beforeMinutes: number;
  readonly afterMinutes: number;
  readonly delayMinutes: number;
}

interface CompactPeriod {
  /** A text is an anchor without minutes added, or `on`. */
  readonly start: string | { readonly at: string; readonly offsetMinutes: number };
  readonly level: number;
  /** Of so many neighbours of a row one is lit; absent: all. */
  readonly oneOf?: 2 | 3;
  /** Seconds. */
  readonly ramp?: number;
}

export interface CompactSpan {
  readonly from: Day;
  readonly to: Day;
  readonly programme: number;
}

/** The lamp's place in its row, and how patterns move along it. */
interface CompactCycle {
  readonly k: number;
  readonly n: number;
  readonly shift: Rotation;
  readonly right?: true;
  readonly keep?: true;
}

const oneOf: Readonly<Record<Exclude<Pattern, 'all'>, 2 | 3>> = { alternateOne: 2, alternateTwo: 3 };

/** What a lamp is to follow. Programmes and default are a scheme's, or the fallback programme of its template alone. */
export interface PlanSource {
  readonly scheme: string;
  readonly version: number;
  readonly from: Day;
  readonly programmes: readonly Pick<NamedProgramme, 'key' | 'programme'>[];
  readonly default: number;
  /** The calendar of the coming lighting days, expanded. */
  readonly days: readonly CompactSpan[];
  readonly role: LampRole;
}

/**
 * A lamp's plan in the compact form. Equal sources make equal texts, and so equal hashes. `digest`: sha-256 of a text,
 * in hexadecimal digits.
 */
export function compactPlan(source: PlanSource, digest: (text: string) => string): CompactPlan {
  const { scheme, version, from, programmes, role } = source;
  const used = new Set([source.default, ...source.days.map(({ programme }) => programme)]);
  const body = {
    from,
    programmes: programmes.filter(({ key }) => used.has(key)).map(compactProgramme),
    days: source.days
      .filter(({ programme }) => programme !== source.default)
      .map((span) => ({ from: span.from, to: span.to, programme: span.programme })),
    default: source.default,
    ...(role.position === null ? {} : { cycle: compactCycle(role, role.position) }),
    ...(role.minLevel === 0 ? {} : { minLevel: role.minLevel }),
  };
  return { scheme, version, hash: digest(JSON.stringify({ scheme, version, ...body })).slice(0, 12), ...body };
}

const compactProgramme = ({ key, programme }: Pick<NamedProgramme, 'key' | 'programme'>): CompactProgramme => ({
  key,
  on: compactSwitching(programme.on),
  off: compactSwitching(programme.off),
  minimumMinutes: programme.minimumMinutes,
  periods: programme.periods.map(({ start, level, pattern, rampSeconds }) => ({
    start: compactStart(start),
    level,
    ...(pattern === 'all' ? {} : { oneOf: oneOf[pattern] }),
    ...(rampSeconds === 0 ? {} : { ramp: rampSeconds }),
  })),
});

const compactSwitching = ({ at, offsetMinutes, notBefore, notAfter, light }: Switching): CompactSwitching => ({
  at,
  offsetMinutes,
  ...(notBefore === null ? {} : { notBefore }),
  ...(notAfter === null ? {} : { notAfter }),
  ...(light === null ? {} : { light: compactLight(light) }),
});

const compactLight = ({ sensitivity, lux, beforeMinutes, afterMinutes, delayMinutes }: LightWindow): CompactLight => ({
  lux,
  ...(sensitivity === null ? {} : { sensitivity }),
  beforeMinutes,
  afterMinutes,
  delayMinutes,
});

function compactStart(start: Period['start']): CompactPeriod['start'] {
  if (start === 'on') return start;
  const { at, offsetMinutes } = start;
  return offsetMinutes === 0 ? at : { at, offsetMinutes };
}

const compactCycle = ({ rowLength, rotation, right, keep }: LampRole, k: number): CompactCycle => ({
  k,
  n: rowLength,
  shift: rotation,
  ...(right ? { right } : {}),
  ...(keep ? { keep } : {}),
});

/**
 * The device's end: what a lamp at `place` follows. `before`: its programme on the days before the plan holds; absent:
 * the plan's own.
 */
export function planFromCompact(plan: CompactPlan, place: SunPlace, before?: Programme): LampPlan {
  const programmes = new Map(plan.programmes.map((compact) => [compact.key, programmeFromCompact(compact)]));
  const usual = programmes.get(plan.default) ?? fullNight;
  return {
    place,
    role: roleFromCompact(plan),
    programmeOn: (day) =>
      day < plan.from && before
        ? before
        : (programmes.get(plan.days.find(({ from, to }) => day >= from && day <= to)?.programme ?? plan.default) ??
          usual),
  };
}

/** The programmes of a plan as lamps follow them. */
export const programmesOfCompact = ({ programmes }: CompactPlan): Programme[] => programmes.map(programmeFromCompact);

function roleFromCompact({ cycle, minLevel = 0 }: CompactPlan): LampRole {
  if (!cycle) return { ...noRole, minLevel };
  const { k, n, shift, right = false, keep = false } = cycle;
  return { position: k, rowLength: n, right, keep, minLevel, rotation: shift };
}

/** A programme as lamps follow it. */
function programmeFromCompact({ on, off, minimumMinutes, periods }: CompactProgramme): Programme {
  return {
    on: switchingFromCompact(on),
    off: switchingFromCompact(off),
    minimumMinutes,
    periods: periods.map(({ start, level, oneOf: every, ramp = 0 }) => ({
      start: start === 'on' ? start : anchorFromCompact(start),
      level,
      pattern: every === 2 ? 'alternateOne' : every === 3 ? 'alternateTwo' : 'all',
      rampSeconds: ramp,
    })),
  };
}

function switchingFromCompact({ at, offsetMinutes, notBefore, notAfter, light }: CompactSwitching): Switching {
  return {
    at,
    offsetMinutes,
    notBefore: notBefore ?? null,
    notAfter: notAfter ?? null,
    light: light ? { ...light, sensitivity: light.sensitivity ?? null } : null,
  };
}

const anchorFromCompact = (start: Exclude<CompactPeriod['start'], 'on'>): Anchor =>
  typeof start === 'string' ? { at: start, offsetMinutes: 0 } : start;

/** Of a plan whose default is none of its programmes (this server sends none): rather light than darkness. */
const fullNight: Programme = {
  on: { at: 'sunset', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
  off: { at: 'sunrise', offsetMinutes: 0, notBefore: null, notAfter: null, light: null },
  minimumMinutes: 0,
  periods: [{ start: 'on', level: 100, pattern: 'all', rampSeconds: 0 }],
};
