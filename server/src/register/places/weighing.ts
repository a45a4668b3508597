import type { Transaction } from '../../platform/db/index.ts';
import type { Caller } from '../../platform/http/index.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Asked {
  readonly id: number;
  readonly next: Fields;
  /** Refuses what is refused anyway, before anything is kept. */
  readonly refuseFirst: () => Promise<unknown>;
}

/**
 * Weighs what a change of the register does to the light of lamps. Each does the work, and answers how many lamps get
 * darker by it, or refuses it; undefined: the change moves no night.
 */
export interface RegisterWeighing {
  /** Place and time of a work area. `confirmCount`: the number of lamps that the caller typed. */
  ofArea(
    tx: Transaction,
    caller: Caller,
    asked: Asked & { readonly confirmCount: number | undefined },
    work: () => Promise<void>,
  ): Promise<number | undefined>;
  /** What a device says of itself that patterns of rows go by. */
  ofDevice(tx: Transaction, caller: Caller, asked: Asked, work: () => Promise<void>): Promise<number | undefined>;
}

const justDone = async (_tx: Transaction, _caller: Caller, _asked: object, work: () => Promise<void>) => {
  await work();
  return undefined;
};
/** Nobody was given a plan. */
export const unweighed: RegisterWeighing = { ofArea: justDone, ofDevice: justDone };
