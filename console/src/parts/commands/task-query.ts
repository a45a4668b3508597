import type { QueryOf } from '../../../../contract/route.ts';
import { approvalOutcomes, commandLanes, taskStates, type listCommands } from '../../../../contract/light/commands.ts';
import { instantOf } from '../index.ts';
import { afterSecond, momentsOf } from '../search-fields/index.ts';

export const filterKeys = ['state', 'lane', 'command', 'actor', 'days'] as const;
/** What operators send; reads have a page of their own. */
export const controlLanes = commandLanes.filter((lane) => lane !== 'read');
/** The commands of lamps that can be looked for. */
export const controlCommands = ['on', 'off', 'dim', 'auto'] as const;

const known = (text: string | undefined, words: readonly string[]): string =>
  (text ?? '')
    .split(',')
    .filter((word) => words.includes(word))
    .join(',');

/** What of an address is asked of the server; what means nothing is left out. `lanes`: those the page is about. */
export function queryOf(
  filters: Readonly<Record<string, string>>,
  lanes: readonly string[],
  zone: string,
): QueryOf<typeof listCommands> {
  const state = known(filters.state, taskStates);
  const lane = known(filters.lane, lanes) || lanes.join(',');
  const command = known(filters.command, controlCommands);
  const approval = known(filters.approval, approvalOutcomes);
  const { from, to } = momentsOf(filters.days);
  return {
    lane,
    ...(state === '' ? {} : { state }),
    ...(command === '' ? {} : { command }),
    ...(filters.actor === undefined ? {} : { actor: filters.actor }),
    ...(approval === '' ? {} : { approval }),
    ...(filters.approver === undefined ? {} : { approver: filters.approver }),
    ...(from === undefined ? {} : { from: instantOf(from, zone) }),
    ...(to === undefined ? {} : { to: afterSecond(instantOf(to, zone)) }),
  };
}
