import { listCommands } from '../../../../contract/light/commands.ts';
import { listExceptions } from '../../../../contract/light/exceptions.ts';
import { listPublications } from '../../../../contract/light/publications.ts';
import { useAgain, useCall, useLive, useLiveState } from '../../api/index.ts';

/** The live line announces changes; without it they are asked for, ms. */
const withLiveMs = 300_000;
const withoutLiveMs = 30_000;
/** More than ever wait at once, since each waits only minutes; above it the figure is a floor. */
const asked = { query: { state: 'awaitingApproval', size: 100 } } as const;

/** What waits for a second person, as far as the account sees it; asked once for header and page, and live. */
export function useWaiting() {
  const every = useLiveState().state === 'live' ? withLiveMs : withoutLiveMs;
  // Header and page open together: what one of them just got is the other's too.
  const options = { background: true, staleTime: 5_000, every };
  const commands = useCall(listCommands, asked, options);
  const publications = useCall(listPublications, asked, options);
  const exceptions = useCall(listExceptions, asked, options);
  useLive('commands', useAgain(commands));
  useLive('publications', useAgain(publications));
  useLive('plans', useAgain(exceptions));
  return { commands, publications, exceptions };
}
export type Waiting = ReturnType<typeof useWaiting>;
