import { getMe, getPreferences, patchPreferences, putPreferences } from '../../../../contract/people/me.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Preferences } from './preferences.service.ts';

export const preferencesRoutes = (preferences: Preferences): Binding[] => [
  bind(getMe, (_input, { caller }) => preferences.me(caller)),
  bind(getPreferences, (_input, { caller }) => preferences.read(caller)),
  bind(putPreferences, ({ body }, { caller }) => preferences.replace(caller, body), { rules: 'none' }),
  bind(patchPreferences, ({ body }, { caller }) => preferences.merge(caller, body), { rules: 'none' }),
];
