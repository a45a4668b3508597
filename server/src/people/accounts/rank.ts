import type { Caller } from '../../platform/http/index.ts';

/** An administrator manages every account, anybody else only those of a lower rank, which is a larger level. */
export const isManageable = (caller: Pick<Caller, 'level'>, level: number): boolean =>
  caller.level === 0 || level > caller.level;
