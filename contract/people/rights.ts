import { Type } from 'typebox';
import { permissions } from '../permissions.ts';
import { route } from '../route.ts';

/** Most names in one answer: enough for one that can be reached. */
export const mostHolders = 5;

/** Only names: an operator who lacks a right has no right to the register of accounts either. */
export const listRightHolders = route({
  method: 'GET',
  path: '/api/v1/rights/holders',
  tag: 'me',
  access: 'session',
  areaScoped: true,
  summary:
    'Colleagues who have a permission in the work area in force, without one in any that the caller sees: the ones last active first.',
  query: Type.Object({ permission: Type.Enum([...permissions]) }),
  reply: Type.Object({
    /** Display names, the caller and disabled accounts left out. */
    names: Type.Array(Type.String(), { maxItems: mostHolders }),
    /** There are others beside those named. */
    more: Type.Boolean(),
  }),
});
