import { exceptedProgramme, exceptionsOn } from '../../../../catalogue/lighting/plan/exceptions.ts';
import { levelAt, levelsBetween, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import { levelInForce, type LayerInput, type LevelInForce } from '../../../../catalogue/lighting/plan/stack.ts';
import { lightingDay } from '../../../../catalogue/lighting/sun.ts';
import { layerOf, type ManualSpan } from '../lamps/index.ts';
import { followingOn, plainOf, type AssignedPlan, type LampException } from '../plans/index.ts';

/** Where a layer comes from, for people. */
export interface Source {
  readonly type: 'command' | 'exception' | 'scheme' | 'schedule' | 'template' | 'device' | null;
  readonly id: number;
  readonly label: string;
  readonly version: number | null;
  /** Epoch ms; null: without beginning or end. */
  readonly since: number | null;
  readonly until: number | null;
}
export interface WhyInput extends LayerInput {
  readonly source: Source;
}

/** What is asked of a lamp, apart from the instant. */
export interface Inputs {
  /** Null: nobody knows where it stands, so nobody knows its sun. */
  readonly plan: LampPlan | null;
  /** Null: it was given none, and goes by the sun of its area. */
  readonly own: AssignedPlan | null;
  readonly manual: readonly ManualSpan[];
  /** The controller whose selector is not on automatic, and since when that is known. */
  readonly local: { readonly id: number; readonly label: string; readonly since: number } | null;
  /** It goes by its memory since then. */
  readonly fallbackSince: number | null;
}

const dayMs = 86_400_000;
/** So far around an instant the plan's stretch is looked for. */
const aroundMs = 2 * dayMs;
const nowhere: Source = { type: null, id: 0, label: '', version: null, since: null, until: null };
const finite = (at: number): number | null => (Number.isFinite(at) ? at : null);

/** Every layer that asks something of the lamp at an instant, or may; of the plan with its value then. */
export function inputsAt(inputs: Inputs, at: number): WhyInput[] {
  const { own, plan, manual, local, fallbackSince } = inputs;
  const plain = own ? plainOf(own) : plan;
  const found: WhyInput[] = plain ? [plannedInput(own, plain, at)] : [];
  if (plain && fallbackSince !== null)
    found.push({
      layer: 'fallback',
      op: 'set',
      value: levelAt(plain, at),
      from: fallbackSince,
      until: null,
      source: { ...nowhere, since: fallbackSince },
    });
  if (own && plain) found.push(...own.exceptions.map((one) => exceptionInput(own, plain, one, at)));
  for (const span of manual)
    found.push({
      ...layerOf(span),
      source: {
        ...nowhere,
        type: 'command',
        id: span.commandId,
        label: String(span.commandId),
        since: span.from,
        until: finite(span.to),
      },
    });
  if (local)
    found.push({
      layer: 'local',
      op: 'set',
      value: null,
      from: local.since,
      until: null,
      source: { ...nowhere, type: 'device', id: local.id, label: local.label, since: local.since },
    });
  return found;
}

/** The level that all layers make at an instant. */
export type InForce = LevelInForce<WhyInput>;
export const inForceAt = (inputs: Inputs, at: number): InForce =>
  levelInForce(at, inputsAt(inputs, at), inputs.plan?.role.minLevel);

/** What the plan asks for, without exceptions. */
function plannedInput(own: AssignedPlan | null, plain: LampPlan, at: number): WhyInput {
  const stretch = levelsBetween(plain, at - aroundMs, at + aroundMs).find(({ from, to }) => from <= at && at < to);
  const since = stretch && stretch.from > at - aroundMs ? stretch.from : null;
  const until = stretch && stretch.to < at + aroundMs ? stretch.to : null;
  return {
    layer: plannedLayer(own, at),
    op: 'set',
    value: levelAt(plain, at),
    from: at,
    until: null,
    source: plannedBy(own, at, since, until),
  };
}

const plannedLayer = (own: AssignedPlan | null, at: number): 'scheme' | 'default' =>
  own && followedAt(own, at)?.scheme ? 'scheme' : 'default';

/** What a lamp follows at an instant. */
export const followedAt = (own: AssignedPlan, at: number) => followingOn(own.following, lightingDay(own.place, at).day);

function plannedBy(own: AssignedPlan | null, at: number, since: number | null, until: number | null): Source {
  const followed = own ? followedAt(own, at) : undefined;
  const { scheme, template } = followed ?? { scheme: null, template: null };
  if (scheme?.schedule)
    return { type: 'schedule', id: scheme.schemeId, label: scheme.name, version: null, since, until };
  if (scheme)
    return {
      type: 'scheme',
      id: scheme.schemeId,
      label: `${scheme.code} ${scheme.name}`,
      version: scheme.number,
      since,
      until,
    };
  if (template)
    return { type: 'template', id: template.templateId, label: template.code, version: template.number, since, until };
  return { ...nowhere, since, until };
}

function exceptionInput(own: AssignedPlan, plain: LampPlan, one: LampException, at: number): WhyInput {
  const { day } = lightingDay(own.place, at);
  const night = nightOf(plain, day);
  const isNight = night.on !== null && night.off !== null && night.on <= at && at < night.off;
  const touches = exceptionsOn(own.place, [one], day).length > 0;
  const isLeft = touches && exceptedProgramme(own, own.exceptions, day, plain.programmeOn(day)).left.includes(one);
  const { effect } = one;
  // An exception of lighting days changes the night alone; one that does not fit changes nothing.
  const isOut = isLeft || (one.nightOnly && 'op' in effect && !isNight);
  const source = {
    ...nowhere,
    type: 'exception',
    id: one.id,
    label: String(one.id),
    since: one.from,
    until: one.to,
  } as const;
  const asked =
    'op' in effect
      ? { op: effect.op, value: effect.level }
      : { op: 'set' as const, value: levelAt({ ...plain, programmeOn: () => effect.programme }, at) };
  return { layer: 'exception', ...asked, from: one.from, until: isOut ? one.from : one.to, source };
}

/** Instants after one, up to another, at which what is asked may become another, ascending. */
export function changesBetween({ manual, own, plan }: Inputs, after: number, until: number): number[] {
  const all = [
    ...manual.flatMap(({ from, to }) => [from, to]),
    ...(own?.exceptions ?? []).flatMap(({ from, to }) => [from, to]),
    ...(plan ? levelsBetween(plan, after, until) : []).map(({ from }) => from),
  ];
  return [...new Set(all)].filter((at) => at > after && at <= until).toSorted((a, b) => a - b);
}

export interface Change {
  readonly at: number;
  readonly level: number;
  readonly layer: LevelInForce<WhyInput>['layer'];
}
/** The next instant at which what is asked is another level; null: none within three nights. */
export function nextChange(inputs: Inputs, at: number): Change | null {
  const now = inForceAt(inputs, at).level;
  for (const end of changesBetween(inputs, at, at + 3 * dayMs)) {
    const { level, layer } = inForceAt(inputs, end);
    if (level !== now) return { at: end, level, layer };
  }
  return null;
}
