import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { hashPassword, passwordRuleText, passwordWeaknesses } from '../accounts/index.ts';
import { builtInMenu } from '../menus/index.ts';
import { prepareInstallation, watchInitialPassword } from './installation.ts';

/** The first rows of an installation, made here when they are missing. */
export async function installationFeature({ db, config, watch }: Floor) {
  const installation = await prepareInstallation({
    db,
    dataDir: config.dataDir,
    adminPassword: config.adminPassword,
    menu: builtInMenu({ demo: config.demo }),
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
