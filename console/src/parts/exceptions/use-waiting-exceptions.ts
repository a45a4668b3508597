import { listExceptions } from '../../../../contract/light/exceptions.ts';
import { useAgain, useCall, useLive } from '../../api/index.ts';

/** The live line tells sooner. */
const everyMs = 30_000;
/** More than ever wait at once, since each waits only minutes. */
const most = 100;

/** Exceptions that wait for a second person, as far as the account sees them. */
export function useWaitingExceptions() {
  const list = useCall(
    listExceptions,
    { query: { state: 'awaitingApproval', size: most } },
    { background: true, staleTime: 0, every: everyMs },
  );
  useLive('plans', useAgain(list));
  return list;
}
