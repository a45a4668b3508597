import type { ReplyOf } from '../../../../contract/route.ts';
import type { getDemo } from '../../../../contract/shell/demo.ts';
import type { OpenOptions } from '../../frame/tabs/tab-context.ts';
import type { IconName } from '../icons/Icon.tsx';

export type Places = NonNullable<ReplyOf<typeof getDemo>['places']>;

/** One thing to look at: the screen that shows it, and where on it. */
export interface Step {
  readonly key: StepKey;
  readonly icon: IconName;
  readonly screen: string;
  readonly options?: OpenOptions;
}
type StepKey =
  | 'map'
  | 'lamp'
  | 'cabinet'
  | 'proof'
  | 'why'
  | 'approval'
  | 'publish'
  | 'eyes'
  | 'import'
  | 'year'
  | 'curves';

const at = (
  key: StepKey,
  icon: IconName,
  screen: string,
  id: number | string | null,
  options: (id: number | string) => OpenOptions,
): Step[] => (id === null ? [] : [{ key, icon, screen, options: options(id) }]);

/** The ten things in their order; what the city has no place for is left out. */
export function stepsOf(places: Places): readonly Step[] {
  const { lampId, controllerId, commandId, schemeId, schemeNumber, username, importId } = places;
  return [
    { key: 'map', icon: 'map', screen: 'lamp/monitor' },
    ...(controllerId === null
      ? at('lamp', 'lamp', 'lamp/monitor', lampId, (id) => ({ search: `?lamp=${id}` }))
      : at('cabinet', 'bolt', 'device', controllerId, (id) => ({ params: { id } }))),
    ...at('proof', 'checklist', 'lamp/command', commandId, (id) => ({ params: { id } })),
    ...at('why', 'search', 'lamp/device', lampId, (id) => ({ params: { id } })),
    { key: 'approval', icon: 'shield', screen: 'lamp/approvals' },
    ...at('publish', 'upload', 'lamp/publish', schemeNumber === null ? null : schemeId, (id) => ({
      search: `?scheme=${id}&number=${schemeNumber}`,
    })),
    ...at('eyes', 'user', 'user-management', username, (name) => ({ search: `?q=${encodeURIComponent(name)}` })),
    ...at('import', 'folder', 'asset/imports', importId, (id) => ({ search: `?import=${id}` })),
    ...at('year', 'calendar', 'lamp/scheme', schemeId, (id) => ({ params: { id }, search: '?tab=simulation' })),
    ...at('curves', 'curve', 'lamp/history', lampId, (id) => ({ search: `?devices=${id}` })),
  ];
}
