import type { Transaction } from '../platform/db/index.ts';
import { LeaseLost } from '../platform/leases/index.ts';
import type { Arrived, Fence } from './work.ts';

/** Another process receives by now what came with this fence, and gets it too. */
export class Fenced extends Error {
  readonly fence: Fence;
  readonly lost: LeaseLost;
  constructor(fence: Fence, lost: LeaseLost) {
    super(lost.message);
    this.fence = fence;
    this.lost = lost;
  }
}

/** The first statements of a transaction that keeps these messages; throws Fenced. */
export async function standFences(tx: Transaction, batch: readonly Arrived[]): Promise<void> {
  const fences = new Set<Fence>();
  for (const { fence } of batch) if (fence) fences.add(fence);
  for (const fence of fences) {
    await fence(tx).catch((thrown: unknown) => {
      throw thrown instanceof LeaseLost ? new Fenced(fence, thrown) : thrown;
    });
  }
}

/** The messages that are still ours; the others are not acknowledged. */
export function without(batch: readonly Arrived[], { fence, lost }: Fenced): Arrived[] {
  for (const arrived of batch) if (arrived.fence === fence) arrived.lost = lost;
  return batch.filter((arrived) => arrived.fence !== fence);
}
