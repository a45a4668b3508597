import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { hashPassword, passwordRuleText, passwordWeaknesses } from '../accounts/index.ts';
import type { MenuSeed } from './built-in-menu.ts';
import { prepareInstallation, watchInitialPassword } from './installation.ts';

/** The first rows of an installation, made here when they are missing. */
export async function installationFeature({ db, config, watch }: Floor, menu: readonly MenuSeed[]) {
  const installation = await prepareInstallation({
    db,
    dataDir: config.dataDir,
    adminPassword: config.adminPassword,
    menu,
    hash: hashPassword,
    refusal: async (password, username) =>
      (await passwordWeaknesses(password, username)).length > 0 ? passwordRuleText('en-US') : undefined,
  });
  const feature: Feature = {
    jobs: [
      {
        name: 'first password',
        where: 'every process',
        start: () => watchInitialPassword(db, installation, watch.jobs.named('password')),
      },
    ],
  };
  return { feature, installation };
}
