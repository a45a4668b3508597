import { usePermission } from '../../../frame/index.ts';
import { useMenu } from '../../../frame/menu/menu-context.ts';
import { useCall } from '../../../api/index.ts';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import { inPreview } from '../../../session/index.ts';
import { statesOf, type User } from './user.ts';

export type UserAction =
  | 'edit'
  | 'delete'
  | 'fullScreen'
  | 'reset'
  | 'unlock'
  | 'disable'
  | 'enable'
  | 'sessions'
  | 'preview';
export type Reason = 'reason.rank' | 'reason.own' | 'reason.builtIn' | 'reason.preview' | 'reason.disabled';

/** Who looks at the list, and what they hold: hides what would be refused. The server enforces. */
export interface Operator {
  id: number | undefined;
  level: number | undefined;
  add: boolean;
  edit: boolean;
  del: boolean;
  sessions: boolean;
  preview: boolean;
  /** Which full screens the account may open. */
  fullAdd: boolean;
  fullEdit: boolean;
  /** Looks through another account's eyes. */
  readOnly: boolean;
}

export function useOperator(): Operator {
  const me = useCall(getCurrentUser, {}, { staleTime: 300_000 }).data;
  const { pages } = useMenu();
  const [add, edit, del, query, preview] = [
    usePermission('cscp.user.add'),
    usePermission('cscp.user.edit'),
    usePermission('cscp.user.del'),
    usePermission('cscp.user.query'),
    usePermission('account.preview'),
  ];
  const opens = (name: string): boolean => pages.some((page) => page.name === name);
  const readOnly = inPreview();
  return {
    id: me?.id,
    level: me?.treeLevel,
    add,
    edit,
    del,
    sessions: query || edit,
    readOnly,
    preview: preview && me?.treeLevel === 0,
    fullAdd: add && opens('user-add'),
    fullEdit: edit && opens('user-edit'),
  };
}

/** The first installed account: never deleted (specified 3.9). */
const BUILT_IN = 1;

/** Whether an action is shown at all for this account. */
export function isOffered(action: UserAction, user: User, operator: Operator, now: number): boolean {
  switch (action) {
    case 'edit':
    case 'reset':
      return operator.edit;
    case 'fullScreen':
      return operator.fullEdit;
    case 'delete':
      return operator.del;
    case 'unlock':
      return operator.edit && statesOf(user, now).includes('locked');
    case 'disable':
      return operator.edit && !user.disabled;
    case 'enable':
      return operator.edit && user.disabled;
    case 'sessions':
      return operator.sessions;
    case 'preview':
      return operator.preview && !operator.readOnly;
  }
}

/** Why an offered action cannot be done to this account; undefined when it can. */
export function reasonAgainst(action: UserAction, user: User, operator: Operator): Reason | undefined {
  const own = user.id === operator.id;
  if (action === 'sessions') return undefined;
  if (action === 'preview') return own ? 'reason.own' : user.disabled ? 'reason.disabled' : undefined;
  if (operator.readOnly && action !== 'fullScreen') return 'reason.preview';
  if (!user.manageable) return own ? 'reason.own' : 'reason.rank';
  if (action === 'delete' && user.id === BUILT_IN) return 'reason.builtIn';
  return own && ['delete', 'disable', 'reset'].includes(action) ? 'reason.own' : undefined;
}
