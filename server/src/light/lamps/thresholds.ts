import { gatewaySilent, lampSilent } from '../../../../catalogue/alarms/links.ts';

/** Limits of the judgement besides those of the alarms, which the catalogue declares. No setting changes them. */
export interface Thresholds {
  /** Readings older than this are not judged. */
  windowSeconds: number;
  /** A lamp is silent after this many reporting periods, but never before `silentMinSeconds`. */
  silentPeriods: number;
  silentMinSeconds: number;
  controllerSilentPeriods: number;
  controllerSilentMinSeconds: number;
  /** From this share of the rated power on a lamp counts as lit. */
  litShare: number;
  /** From this level on a lit lamp is `on`, below it `dimmed`. */
  fullLevel: number;
  /** The lit rate counts from so long after the on-time. */
  litRateDelaySeconds: number;
}

export const defaultThresholds: Thresholds = {
  windowSeconds: 3 * 3600,
  silentPeriods: lampSilent.silence.periods,
  silentMinSeconds: lampSilent.silence.minSeconds,
  controllerSilentPeriods: gatewaySilent.silence.periods,
  controllerSilentMinSeconds: gatewaySilent.silence.minSeconds,
  litShare: 0.1,
  fullLevel: 99,
  litRateDelaySeconds: 1800,
};
