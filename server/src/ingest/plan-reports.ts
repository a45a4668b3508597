import type { SaidOfPlan } from '../../../protocols/wire.ts';
import type { PlanReport } from './plan-reports.store.ts';

/** Longer than the pause between two reports of nearly all devices: another process may have written meanwhile, ms. */
const stalenessMs = 1_800_000;
/** Devices whose report is kept in memory, some 150 bytes each. */
const most = 1_200_000;

/** What a device said of its plan. */
export interface HeardOfPlan extends SaidOfPlan {
  /** It says the hash now: not in a message that the broker kept. */
  readonly live: boolean;
}

/**
 * What devices said of their plans and is written: a device that says it again costs no statement. Forgotten every half
 * hour, and with everything else that another process may have changed.
 */
export class PlanReports {
  readonly #written = new Map<number, PlanReport>();
  /** Told something since the last report of theirs that was looked at: one that is being written is older. */
  readonly #told = new Set<number>();
  #since = Number.NEGATIVE_INFINITY;

  /** What is not known to be written. */
  news(said: ReadonlyMap<number, HeardOfPlan>, now: number): PlanReport[] {
    if (said.size === 0) return [];
    // Also where the clock was set back.
    if (Math.abs(now - this.#since) >= stalenessMs || this.#written.size > most) {
      this.forget();
      this.#since = now;
    }
    const reports: PlanReport[] = [];
    for (const [deviceId, { planHash, capabilities, clockAt, live }] of said) {
      const before = this.#written.get(deviceId);
      this.#told.delete(deviceId);
      const able = capabilities && JSON.stringify(capabilities);
      const same =
        before !== undefined &&
        (planHash === undefined || planHash === before.planHash) &&
        (able === undefined || able === before.capabilities) &&
        (clockAt === undefined || clockAt === before.clockAt);
      // What was not said stays as it is.
      if (!same)
        reports.push({
          deviceId,
          planHash: planHash === undefined ? before?.planHash : planHash,
          capabilities: able ?? before?.capabilities,
          clockAt: clockAt ?? before?.clockAt,
          live,
        });
    }
    return reports;
  }

  /** They are committed. */
  written(reports: readonly PlanReport[]): void {
    for (const report of reports) if (!this.#told.has(report.deviceId)) this.#written.set(report.deviceId, report);
  }

  forget(): void {
    this.#written.clear();
    this.#told.clear();
  }

  /** What these say next is written, though it be the same: they were told something meanwhile. */
  told(ids: readonly number[]): void {
    for (const id of ids) {
      this.#written.delete(id);
      this.#told.add(id);
    }
  }
}
