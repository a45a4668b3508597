import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '../../catalogue/index.ts';
import type { Config } from './config.ts';
import { accountsRoutes, createAccounts, hashPassword, passwordRuleText, passwordWeaknesses } from './features/accounts/index.ts';
import { apiDocsRoutes } from './features/api-docs/index.ts';
import { createDevices, devicesRoutes } from './features/devices/index.ts';
import { createHome, homeRoutes } from './features/home/index.ts';
import { prepareInstallation, watchInitialPassword, type Installation } from './features/installation/index.ts';
import { createJudging, createLamps, defaultThresholds, lampsRoutes } from './features/lamps/index.ts';
import { loginAppearanceRoutes } from './features/login-appearance/index.ts';
import { builtInMenu, menusRoutes } from './features/menus/index.ts';
import { createLoginLog, createOperationLog } from './features/operation-log/index.ts';
import { preferencesRoutes } from './features/preferences/index.ts';
import { createRecords, recordsRoutes } from './features/records/index.ts';
import { createSessions } from './features/sessions/index.ts';
import { createSignInFeature, signInRoutes } from './features/sign-in/index.ts';
import { startBus } from './platform/bus/index.ts';
import { systemClock } from './platform/clock.ts';
import { checkoutFolder, openDatabase, usability } from './platform/db/index.ts';
import { openFiles } from './platform/files/index.ts';
import { createHttp, createRateWindows, type Binding } from './platform/http/index.ts';
import { openKeys, rsaPair } from './platform/keys/index.ts';
import type { Log } from './platform/log.ts';
import type { Running } from './platform/running.ts';
import { headerWarnings } from './start-notices.ts';
import { listenProblem } from './platform/start-error.ts';

export interface Surroundings {
  readonly config: Config;
  readonly log: Log;
  readonly running: Running;
  /** Aborted when the process is told to stop while it starts. */
  readonly signal: AbortSignal;
}

export interface Product {
  /** Where a browser finds it. */
  readonly address: string;
  readonly installation: Installation;
}

/**
 * The composition root: every part of one process, created once, in this order, by name; stopped in the reverse order.
 * Throws StartError for what an operator can mend.
 */
export async function build(surroundings: Surroundings): Promise<Product> {
  const floor = await startFloor(surroundings);
  const people = await createPeople(surroundings, floor);
  const lamps = createLampParts(surroundings, floor);
  const bindings = [...people.bindings, ...lamps.bindings];
  const address = await startHttp(surroundings, floor, people, [...bindings, ...apiDocsRoutes(bindings, surroundings.config)]);
  startJobs(surroundings, floor, people);
  return { address, installation: people.installation };
}

type Floor = Awaited<ReturnType<typeof startFloor>>;
type People = Awaited<ReturnType<typeof createPeople>>;

/** Technology that knows no lamps. */
async function startFloor({ config, log, running, signal }: Surroundings) {
  const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log, signal });
  running.add('database', () => database.stop());
  const keys = openKeys(config.secretKeyFile);
  const files = openFiles(config.filesFolder);
  const bus = await startBus(database.connection, log);
  running.add('bus', () => bus.stop());
  const rates = createRateWindows({ db: database.db, clock });
  return { clock, database, db: database.db, keys, files, bus, rates };
}

/** Who may sign in and what they may do. */
async function createPeople({ config }: Surroundings, { clock, db, bus, rates, keys }: Floor) {
  const installation = await prepareInstallation({
    db, dataDir: config.dataDir, adminPassword: config.adminPassword, menu: builtInMenu({ demo: config.demo }), hash: hashPassword,
    refusal: (password, username) => (passwordWeaknesses(password, username).length > 0 ? passwordRuleText('en-US') : undefined),
  });
  const sessions = createSessions({ db, clock, bus });
  const accounts = createAccounts({ db, clock });
  const operations = createOperationLog({ db, rates });
  const loginLog = createLoginLog({ db, clock, rates });
  const signIn = createSignInFeature({ db, clock, accounts, sessions, loginLog, rates, config, operations, rsa: await rsaPair(keys, db) });
  const bindings: Binding[] = [
    ...signInRoutes(signIn), ...accountsRoutes(accounts), ...menusRoutes({ db }), ...loginAppearanceRoutes({ db }),
    ...preferencesRoutes({ db, accounts, warnings: headerWarnings(config) }),
  ];
  return { installation, sessions, operations, signIn, bindings };
}

/** Devices, what they send, what they are told. */
function createLampParts({ log, running }: Surroundings, { clock, db, bus, keys }: Floor) {
  const periods = reportPeriods();
  const thresholds = defaultThresholds;
  const judging = createJudging({
    db, clock, thresholds, periods,
    announce: (ids) => bus.publish('lamps.judged', { ids }),
    onError: (thrown) => log.error({ err: thrown }, 'judging failed'),
  });
  running.add('judging', judging.start());
  running.add('judging what changed', bus.subscribe('devices.changed', ({ ids }) => judging.touch(ids)));
  running.add('judging what was commanded', bus.subscribe('commands.changed', ({ deviceIds }) => judging.touch(deviceIds)));
  running.add('judging by new settings', bus.subscribe('settings.changed', () => void judging.sweep().catch((thrown: unknown) => log.error({ err: thrown }, 'judging failed'))));
  const lamps = createLamps({ db, clock, periods });
  const home = createHome({ db, clock, thresholds, periods });
  const devices = createDevices({ db, bus, keys, clock });
  const records = createRecords({ db, bus });
  const bindings: Binding[] = [...lampsRoutes(lamps), ...homeRoutes(home), ...devicesRoutes(devices), ...recordsRoutes(records)];
  return { judging, lamps, devices, bindings };
}

/** How often lamps and controllers report by themselves, seconds, as the catalogue says. */
function reportPeriods() {
  const lamp = families.find(({ key }) => key === 'single-lamp-controller')?.report;
  const controller = families.find(({ key }) => key === 'central-controller')?.report;
  if (!lamp || !controller) throw new Error('the catalogue has no reporting periods for lamps');
  return { litSeconds: lamp.lit, unlitSeconds: lamp.unlit, controllerSeconds: controller.heartbeat };
}

/** HTTP, and from the same origin the built console. Returns where a browser finds it. */
async function startHttp({ config, log, running }: Surroundings, { clock, db, database }: Floor, people: People, bindings: readonly Binding[]) {
  const consoleFolder = join(checkoutFolder, 'console/dist');
  const app = await createHttp({
    config, log, clock, db, authenticate: people.sessions.authenticate, operations: people.operations,
    notReady: () => usability(database.pool),
    ...(existsSync(join(consoleFolder, 'index.html')) ? { consoleFolder } : {}),
  }, bindings);
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (thrown) {
    throw listenProblem(thrown, 'PORT', config.host, config.port);
  }
  running.add('http', () => app.close());
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  return `${config.tls ? 'https' : 'http'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}

/** What happens by the clock. */
function startJobs({ running }: Surroundings, { clock, db }: Floor, { signIn, installation }: People): void {
  running.add('cleaning', signIn.startCleaning());
  running.add('first password', watchInitialPassword(db, installation, clock));
}
