import type { Desk } from '../desk/index.ts';
import type { Feature } from '../feature.ts';
import type { Floor } from '../floor.ts';
import { accountsRoutes, createAccounts } from './accounts/index.ts';
import { createLoginAppearances, loginAppearanceRoutes } from './appearance/index.ts';
import { installationFeature } from './installation/feature.ts';
import { logSealsFeature } from './log-seals/feature.ts';
import { logsFeature } from './logs/feature.ts';
import { menusFeature } from './menus/feature.ts';
import { builtInMenu, type WingMenu } from './menus/index.ts';
import { createOrganisations, organisationsRoutes } from './organisations/index.ts';
import { createPreferences, preferencesRoutes } from './preferences/index.ts';
import { createPreviews, previewsRoutes } from './previews/index.ts';
import { rightsRoutes } from './rights/index.ts';
import { createRoles, rolesRoutes } from './roles/index.ts';
import { createSavedViews, savedViewsRoutes } from './saved-views/index.ts';
import { sessionHint } from './sessions/feature.ts';
import { createSessions } from './sessions/index.ts';
import { signInFeature } from './sign-in/feature.ts';
import { usersRoutes } from './users/index.ts';
import { createWorkGroups, workGroupsRoutes } from './work-groups/index.ts';

export type People = Awaited<ReturnType<typeof createPeople>>;

/** Who may sign in and what they may do. `warnings`: what administrators are warned of in their header;
 * `menus`: what the wings put into the menu. */
export async function createPeople(floor: Floor, desk: Desk, warnings: readonly string[], menus: readonly WingMenu[]) {
  const { answering: db, clock, bus } = floor;
  const installation = await installationFeature(floor, builtInMenu(menus, floor.config));
  const sessions = createSessions({ db, clock, bus });
  const accounts = createAccounts({ db, clock });
  const { signIn, feature: signingIn } = await signInFeature(floor, { ...desk, accounts, sessions });
  const features: Feature[] = [
    installation.feature,
    signingIn,
    logsFeature(floor),
    logSealsFeature(floor),
    menusFeature(floor),
    { routes: accountsRoutes(accounts) },
    { hints: [sessionHint] },
    { routes: workGroupsRoutes(createWorkGroups({ db, bus })) },
    { routes: organisationsRoutes(createOrganisations({ db, bus })) },
    { routes: rolesRoutes(createRoles({ db, bus })) },
    { routes: usersRoutes({ db, clock, bus, ...signIn }) },
    { routes: loginAppearanceRoutes(createLoginAppearances({ db })) },
    { routes: preferencesRoutes(createPreferences({ db, accounts, warnings })) },
    { routes: savedViewsRoutes(createSavedViews({ db })) },
    { routes: rightsRoutes({ db }) },
    { routes: previewsRoutes(createPreviews({ accounts, sessions })) },
  ];
  return { installation: installation.installation, sessions, features };
}
