import type { LoginLog, OperationLog } from '../../desk/operation-log/index.ts';
import type { Feature } from '../../feature.ts';
import type { Floor } from '../../floor.ts';
import { rsaPair } from '../../platform/keys/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { signInRoutes } from './sign-in.routes.ts';
import { createSignInFeature } from './sign-in.ts';

interface Parts {
  readonly operations: OperationLog;
  readonly loginLog: LoginLog;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
}

/** Signing in and all around it; the other features of people use what it knows of passwords. */
export async function signInFeature(
  { answering, db, watch, rates, config, keys }: Floor,
  { operations, loginLog, accounts, sessions }: Parts,
) {
  const signIn = createSignInFeature({
    accounts,
    sessions,
    db: answering,
    clock: watch.jobs.named('sessions'),
    loginLog,
    rates,
    config,
    operations,
    rsa: await rsaPair(keys, db),
  });
  const feature: Feature = {
    routes: signInRoutes(signIn),
    jobs: [{ name: 'cleaning', where: 'every process', start: () => signIn.startCleaning() }],
  };
  return { feature, signIn };
}
