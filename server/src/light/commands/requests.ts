import { refuse } from '../../platform/http/index.ts';
import { strengthOf, type Args, type Lane } from './commands.rules.ts';
import type { MadeBefore } from './giving.store.ts';
import type { Scope } from './targets.store.ts';

/** What a request asks for, as far as it tells it from another one; to try again or to read back: which command. */
export interface Asked {
  readonly command?: string;
  readonly args?: Args;
  readonly lane?: Lane;
  readonly deviceIds?: readonly number[] | undefined;
  readonly scope?: Scope | undefined;
  readonly retryOf?: number | null;
  readonly verifies?: number | null;
}

/** The answer to a request that was answered before; a name that was used for something else is refused. */
export function repeated(
  known: MadeBefore,
  asked: Asked,
): { id: number; total: number; state: 'awaitingApproval' | 'running' } {
  if (!isSame(known, asked)) throw refuse('requestIdReused', {}, { fields: [{ field: 'requestId', rule: 'taken' }] });
  return {
    id: known.id,
    total: known.total,
    state: known.phase === 'awaitingApproval' ? 'awaitingApproval' : 'running',
  };
}

const told = (given: object) =>
  Object.entries(given)
    .map(([key, value]) => `${key}=${String(value)}`)
    .toSorted()
    .join();

function isSame(
  known: MadeBefore,
  { command, args = {}, lane, deviceIds, scope, retryOf = null, verifies = null }: Asked,
): boolean {
  if (known.retryOf !== retryOf || known.verifies !== verifies) return false;
  // Which devices that means may have changed since it was asked for first.
  if (retryOf !== null || verifies !== null) return true;
  const { names: _, ...place } = known.scope;
  const devices = scope
    ? told(place) === told(scope)
    : known.strange === 0 && place['devices'] === new Set(deviceIds).size;
  return (
    known.command === command &&
    told(known.args) === told(args) &&
    (lane === undefined || known.lane === strengthOf(lane)) &&
    devices
  );
}
