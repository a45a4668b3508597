import { levelAt, nightOf } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan, Span } from '../../../../catalogue/lighting/plan/programme.ts';
import { levelInForce } from '../../../../catalogue/lighting/plan/stack.ts';
import type { NightReason } from '../../../../catalogue/lighting/nights.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { layerOf, powerOf, type ManualSpan } from '../lamps/index.ts';
import type { Condition } from './facts.store.ts';
import type { Failure } from './nights.store.ts';
import { secondsOf } from './report.rules.ts';

/** With one of these open a lamp does not light: it, its driver or its relay is broken. */
const breaking: ReadonlySet<string> = new Set(['L101', 'L102', 'L113']);
/** It was dark at night: what it did at its last planned step. */
const darkAtNight = 'L111';
/** A question that was sent is answered within so long, ms. */
const answerMs = 60_000;
const unanswered: ReadonlySet<Condition['asked']> = new Set(['timedOut', 'expired', 'failed']);

/** When a lamp is to be lit first in a night; null: not at all. */
export const firstLit = (plan: LampPlan, day: Day): number | null => nightOf(plan, day).lit[0]?.from ?? null;

/** From on to off of a night. */
export function plannedSpan(plan: LampPlan, day: Day): Span[] {
  const { on, off } = nightOf(plan, day);
  return on === null || off === null ? [] : [{ from: on, to: off }];
}

export interface Tonight {
  readonly plan: LampPlan;
  /** When it is to be lit, and from when to when its loop has power by the plan. */
  readonly on: number;
  readonly planned: readonly Span[];
  readonly manual: readonly ManualSpan[];
  /** The hash by which it says that it runs what it was told; null: it cannot say. */
  readonly toldHash: string | null;
  /** When its area was asked. */
  readonly askedAt: number;
  readonly contactorGoodMs: number;
}

/** Why a lamp will probably not light tonight, by the first that accounts for it; null: it will. */
export function darkTonight(lamp: Condition, tonight: Tonight, now: number): Failure | null {
  const why = reasonOf(lamp, tonight, now);
  return (
    why && {
      deviceId: lamp.id,
      outcome: 'dark',
      ...why,
      stepAt: new Date(tonight.on),
      expected: levelAt(tonight.plan, tonight.on),
      observed: null,
      readingAt: lamp.readingAt,
      misses: 0,
    }
  );
}

type Why = Pick<Failure, 'reason' | 'since' | 'detail'>;
const of = (reason: NightReason, since: Date | null, detail: string | null = null): Why => ({ reason, since, detail });

function reasonOf(lamp: Condition, tonight: Tonight, now: number): Why | null {
  if (lamp.awaySince) return of('away', lamp.awaySince);
  if (isUnpowered(lamp, tonight, now)) return of('noPower', lamp.contactorAt, lamp.loop);
  if (lamp.selectorCode !== null) return of('localControl', lamp.selectorAt, lamp.selectorCode);
  if (lamp.saysLocal) return of('localControl', lamp.readingAt);
  const [fault] = lamp.faults.filter(({ code }) => breaking.has(code));
  if (fault) return of('fault', new Date(fault.since), fault.code);
  const dark = lamp.faults.find(({ code }) => code === darkAtNight);
  if (lamp.darkAt) return of('notLit', lamp.darkAt);
  if (dark) return of('notLit', new Date(dark.since), dark.code);
  const command = keptDark(tonight);
  if (command) return of('manual', new Date(command.from), String(command.commandId));
  if (lamp.runs !== null && tonight.toldHash !== null && lamp.runs !== tonight.toldHash)
    return of('otherPlan', null, lamp.runs);
  if (lamp.clockWrongSince) return of('clockWrong', lamp.clockWrongSince, secondsOf(lamp.clockOffsetMs));
  return isSilent(lamp, tonight, now) ? of('noAnswer', lamp.heardAt) : null;
}

/** No power when it is to be lit: a loop that the plan switches is not on before that, whatever its contactor says. */
function isUnpowered(lamp: Condition, { planned, on, contactorGoodMs }: Tonight, now: number): boolean {
  const contactorAt = lamp.contactorAt?.getTime() ?? null;
  if (lamp.lighting === null) {
    const feed = { lighting: null, contactor: lamp.contactor, contactorAt };
    return powerOf(feed, { planned: [] }, now, contactorGoodMs)?.on === false;
  }
  const feed = { lighting: lamp.lighting, contactor: null, contactorAt: null };
  return powerOf(feed, { planned }, on, contactorGoodMs)?.on === false;
}

/** The command that keeps it dark when its plan would light it. */
function keptDark({ plan, on, manual }: Tonight): ManualSpan | undefined {
  const planned = { layer: 'scheme', op: 'set', value: levelAt(plan, on), from: on, until: null } as const;
  const layers = manual.map((span) => ({ ...layerOf(span), span }));
  const { level, trace } = levelInForce<ReturnType<typeof layerOf> & { span?: ManualSpan }>(on, [planned, ...layers]);
  return level > 0 ? undefined : trace.findLast(({ applies, input }) => applies && input.span)?.input.span;
}

/** It was asked, had the time to answer, and nothing was heard of it since. */
function isSilent({ asked, sentAt, heardAt }: Condition, { askedAt }: Tonight, now: number): boolean {
  if (heardAt !== null && heardAt.getTime() >= askedAt) return false;
  return unanswered.has(asked) || (asked === 'sent' && sentAt !== null && now - sentAt.getTime() > answerMs);
}
