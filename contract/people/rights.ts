import { Type } from 'typebox';
import { permissions } from '../permissions.ts';
import { route } from '../route.ts';

/** Most names in one answer: enough for one that can be reached. */
export const mostHolders = 5;

/**
 * Only display names: an operator who lacks a right has no right to the register of accounts either. Callers with
 * `cscp.user.query` receive the login name of an account that has no other.
 */
export const listRightHolders = route({
  method: 'GET',
  path: '/api/v1/rights/holders',
  tag: 'me',
  access: 'session',
  areaScoped: true,
  summary:
    'Colleagues who have a permission in the work area in force, without one in any that the caller sees: the area’s own people, then administrators, each the ones last active first.',
  query: Type.Object({ permission: Type.Enum([...permissions]) }),
  reply: Type.Object({
    /** Display names, the caller and disabled accounts left out. */
    names: Type.Array(Type.String(), { maxItems: mostHolders }),
    /** There are others beside those named, also such as have no display name. */
    more: Type.Boolean(),
  }),
});
