import { listCommands } from '../../../../contract/light/commands.ts';
import { useAgain, useCall, useLive } from '../../api/index.ts';

/** The live line tells sooner. */
const everyMs = 30_000;
/** More than ever wait at once, since each waits only minutes; above it the figure is a floor. */
const most = 100;

/**
 * The tasks that wait for a second person, as far as the account sees them; asked once for header and page, and live.
 */
export function useWaitingTasks() {
  const list = useCall(
    listCommands,
    { query: { state: 'awaitingApproval', size: most } },
    { background: true, staleTime: 0, every: everyMs },
  );
  useLive('commands', useAgain(list));
  return list;
}
