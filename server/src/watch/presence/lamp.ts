import type { Sample, SampleAlarm } from '../../../../catalogue/alarms/alarm.ts';
import { lampAlarms } from '../../../../catalogue/alarms/lamp.ts';
import { gatewaySilent, lampSilent } from '../../../../catalogue/alarms/links.ts';
import { lightOf, manualAt, shouldBeLitAt, type ManualSpan, type Thresholds } from '../../light/lamps/index.ts';
import { judgeAlarms, type Raised, type Walk } from '../alarms/index.ts';
import type { Judgement } from './judgement.ts';
import { silentSince, type LampSilence } from './silence.ts';

export interface LampInput extends LampSilence {
  /** Absent: with the limits of the catalogue. */
  readonly alarms?: readonly SampleAlarm[];
  readonly enabled: boolean;
  readonly ratedWatts: number | null;
  /** Its loop is without power now, as it should be or as its contactor says. */
  readonly unpowered?: boolean;
  /** It had no power when it was judged last, has it now, and was not heard of since. */
  readonly waking?: boolean;
  /**
   * Readings of the last 3 hours, oldest first; of a lamp that was judged before, those since `walked`, and that one.
   */
  readonly samples: readonly Sample[];
  /** How far its alarms came when it was judged last. Absent: that is not known. */
  readonly walked?: Walk | undefined;
  /** Its faults when it was judged last: they outlast the samples that are read. */
  readonly had?: readonly Raised[];
  readonly manual: readonly ManualSpan[];
  /** Since when (ms) the controller it speaks through is silent; null: it is not, or there is none. */
  readonly controllerSilentSince: number | null;
}

/** Judges one lamp: state, lit or not, its faults; and how far its alarms came. */
export function judgeLamp(input: LampInput, t: Thresholds): Judgement & { readonly walked: Walk | undefined } {
  const { raised, walked } = judgeAlarms({
    alarms: input.alarms ?? lampAlarms,
    around: {
      ratedWatts: input.ratedWatts,
      shouldBeLit: (at) => shouldBeLitAt(input, at),
      isDay: input.plan.isDay,
      manualOn: (at) => (manualAt(input.manual, at)?.level ?? 0) > 0,
    },
    samples: input.samples,
    walked: input.walked,
    had: input.had ?? [],
  });
  return { ...stateLamp(input, t, raised), walked };
}

function stateLamp(input: LampInput, t: Thresholds, raised: readonly Raised[]): Judgement {
  const last = input.samples.at(-1);
  const { lit, level, state } = lightOf(last, input.ratedWatts, t);
  const shouldBeLit = input.enabled ? shouldBeLitAt(input, input.now) : null;
  const base = { shouldBeLit, level, unpowered: false, fault: null, faultSince: null, faults: [] };
  if (!input.enabled) {
    return { ...base, state: 'maintenance', online: silentSince(input, t) === null && input.lastAt !== null, lit };
  }
  const silent = silentSince(input, t);
  // Planned power: without it a lamp cannot be heard, and is dark for sure.
  if (input.unpowered === true ? silent !== null : input.waking === true && silent === null)
    return { ...base, state: 'off', online: false, lit: false, level: 0, faults: null, unpowered: true };
  const dark = { ...base, state: 'offline' as const, online: false, lit: null, level: null, faults: null };
  if (input.controllerSilentSince !== null)
    return { ...dark, fault: gatewaySilent.code, faultSince: input.controllerSilentSince };
  if (silent !== null) return { ...dark, fault: lampSilent.code, faultSince: silent };
  const online = input.lastAt !== null;
  const [worst] = raised;
  if (!worst) return { ...base, state, online, lit };
  return { ...base, state: 'alarm', online, lit, fault: worst.fault, faultSince: worst.since, faults: raised };
}
