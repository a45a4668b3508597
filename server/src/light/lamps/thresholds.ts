/**
 * Thresholds of the judgement. Settings with these defaults; seconds, volts and shares of the
 * rated power. Each rule has its own on and off threshold, so that a value at the edge does not chatter.
 */
export interface Thresholds {
  /** Readings older than this are not judged. */
  windowSeconds: number;
  /** A lamp is silent after this many reporting periods, but never before `silentMinSeconds`. */
  silentPeriods: number;
  silentMinSeconds: number;
  controllerSilentPeriods: number;
  controllerSilentMinSeconds: number;
  lampFailure: { share: number; clearShare: number; clearSamples: number; delaySeconds: number };
  overvoltage: { volts: number; clearVolts: number; samples: number };
  undervoltage: { volts: number; clearVolts: number; samples: number };
  daytimeOn: { share: number; clearShare: number; marginSeconds: number; delaySeconds: number };
  nightOff: { share: number; delaySeconds: number };
  stuckRelay: { share: number; clearShare: number; delaySeconds: number };
  refusingRelay: { share: number; clearShare: number; delaySeconds: number; supplyVolts: number };
  /** From this share of the rated power on a lamp counts as lit. */
  litShare: number;
  /** From this level on a lit lamp is `on`, below it `dimmed`. */
  fullLevel: number;
  /** The lit rate counts from so long after the on-time. */
  litRateDelaySeconds: number;
}

export const defaultThresholds: Thresholds = {
  windowSeconds: 3 * 3600,
  silentPeriods: 3,
  silentMinSeconds: 900,
  controllerSilentPeriods: 3,
  controllerSilentMinSeconds: 300,
  lampFailure: { share: 0.05, clearShare: 0.15, clearSamples: 2, delaySeconds: 300 },
  overvoltage: { volts: 235.4, clearVolts: 231, samples: 3 },
  undervoltage: { volts: 198, clearVolts: 202, samples: 3 },
  daytimeOn: { share: 0.1, clearShare: 0.05, marginSeconds: 1800, delaySeconds: 600 },
  nightOff: { share: 0.1, delaySeconds: 600 },
  stuckRelay: { share: 0.1, clearShare: 0.05, delaySeconds: 60 },
  refusingRelay: { share: 0.1, clearShare: 0.15, delaySeconds: 60, supplyVolts: 50 },
  litShare: 0.1,
  fullLevel: 99,
  litRateDelaySeconds: 1800,
};
