import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { families } from '../../catalogue/index.ts';
import type { RouteShape } from '../../contract/route.ts';
import type { Config } from './config.ts';
import { accountsRoutes, createAccounts, hashPassword, passwordRuleText, passwordWeaknesses } from './people/accounts/index.ts';
import { apiDocsRoutes } from './shell/api-docs/index.ts';
import { baseMapsRoutes, createBaseMaps } from './register/base-maps/index.ts';
import { attachmentsRoutes, createAttachments, photoDrawing, startFileSweep } from './register/attachments/index.ts';
import { commandExportRoutes, commandExportTask, commandsRoutes, createCommandFeature, createDispatcher, createLimits, createProofs } from './light/commands/index.ts';
import { connectionsRoutes, createConnections, createLineJournal } from './wires/connections/index.ts';
import { createDemo, demoRoutes, handoverFile, startSimulator } from './shell/demo/index.ts';
import { deviceProtocolRoutes } from './wires/device-protocol/index.ts';
import { createDictionaries, dictionariesRoutes, prepareDictionaries } from './register/dictionaries/index.ts';
import { createDeviceHistory, deviceHistoryRoutes } from './register/timeline/index.ts';
import { createDeviceSettings } from './wires/device-settings/index.ts';
import { createDevices, deviceAccessRoutes, deviceExportTask, devicesRoutes } from './register/devices/index.ts';
import { createEnergy, createHistory, createHistoryStorage, createRoller, historyExportRoutes, historyExportTask, historyRoutes, startHistoryRetention } from './history/readings/index.ts';
import { createHome, createLoadSums, holdOf, homeRoutes, markLoadsDue } from './light/home/index.ts';
import { createImports, importsRoutes, importTasks, startImportRetention } from './register/imports/index.ts';
import { prepareInstallation, watchInitialPassword, type Installation } from './people/installation/index.ts';
import { createLabels, labelsRoutes } from './register/labels/index.ts';
import { createJudging, createLamps, defaultThresholds, lampsRoutes, type Judging } from './light/lamps/index.ts';
import { createLiveTopics } from './shell/live/index.ts';
import { sealLogs, startLogSeals } from './people/log-seals/index.ts';
import { createLoginAppearances, loginAppearanceRoutes } from './people/appearance/index.ts';
import { createLogs, logExportTasks, logsRoutes } from './people/logs/index.ts';
import { builtInMenu, createMenuConfiguration, menuConfigurationRoutes, menusRoutes } from './people/menus/index.ts';
import { createLoginLog, createOperationLog } from './desk/operation-log/index.ts';
import { createOrganisations, organisationsRoutes } from './people/organisations/index.ts';
import { preferencesRoutes } from './people/preferences/index.ts';
import { createPreviews, previewsRoutes } from './people/previews/index.ts';
import { createRecords, recordsRoutes } from './register/records/index.ts';
import { createRoles, rolesRoutes } from './people/roles/index.ts';
import { createSearch, searchRoutes, startFillingSearchWords } from './register/search/index.ts';
import { createSessions } from './people/sessions/index.ts';
import { createSignInFeature, signInRoutes } from './people/sign-in/index.ts';
import { createDeviceMap, deviceMapRoutes } from './register/device-map/index.ts';
import { createMover, createTopology, topologyRoutes } from './register/topology/index.ts';
import { createExpiries, createStatistics, statisticsRoutes } from './register/statistics/index.ts';
import { systemHealthRoutes } from './shell/system-health/index.ts';
import { createTasks, startTaskRunner, tasksRoutes, type TaskKinds } from './desk/tasks/index.ts';
import { createBatches, createInbox, createJournal, createNewcomers, createPending, provisioningRoutes } from './wires/provisioning/index.ts';
import { usersRoutes } from './people/users/index.ts';
import { createWorkGroups, workGroupsRoutes } from './people/work-groups/index.ts';
import { createDeviceAccess, createIngest, ingestionRoutes } from './ingest/index.ts';
import { startBus, type Bus } from './platform/bus/index.ts';
import { systemClock, type Stop } from './platform/clock.ts';
import { checkoutFolder, createUsability, openDatabase, type Db } from './platform/db/index.ts';
import { openFiles, removeUnkept } from './platform/files/index.ts';
import { createHttp, createRateWindows, type Binding } from './platform/http/index.ts';
import { hasSecrets, openKeys, rsaPair } from './platform/keys/index.ts';
import { createLeases, processName } from './platform/leases/index.ts';
import { createLive } from './platform/live/index.ts';
import type { Log } from './platform/log.ts';
import type { Running } from './platform/running.ts';
import { createSheets } from './platform/sheet/index.ts';
import { listenProblem } from './platform/start-error.ts';
import { brokerAddress, claimBroker, provisionOn, startBroker, takeAwayLeft, watchCredentials } from './start-broker.ts';
import { headerWarnings } from './start-notices.ts';
import { createHealth, createWatch, startWatching } from './start-watching.ts';

const hourMs = 3_600_000;
/** How long a stop waits for changes of other processes before it seals the last rows. */
const lastSealsMs = 2000;

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
  /** Every route that is served, and with what. */
  readonly routes: readonly RouteShape[];
  readonly bindings: readonly Binding[];
}

/**
 * The composition root: every part of one process, created once, in this order, by name; stopped in the reverse order.
 * Throws StartError for what an operator can mend.
 */
export async function build(surroundings: Surroundings): Promise<Product> {
  const floor = await startFloor(surroundings);
  // Stopped after everything that writes: the last rows are sealed too.
  surroundings.running.add('last seals', () => sealLogs({ db: floor.db, log: surroundings.log }, lastSealsMs));
  await prepareDictionaries(floor.db);
  const people = await createPeople(surroundings, floor);
  const link = await startLink(surroundings, floor);
  const lamps = createLampParts(surroundings, floor, link);
  const demo = createDemoParts(surroundings, floor, link, lamps);
  await demo.make();
  const work = createWork(floor, people, lamps);
  const maps = baseMapsRoutes(createBaseMaps({ ...floor, db: floor.answering, fromThisMachine: surroundings.config.mapsFromThisMachine, hasGround: demo.hasGround }));
  const protocol = deviceProtocolRoutes({ demo: surroundings.config.demo, broker: brokerAddress(link.broker, surroundings.config) });
  const health = createHealth(floor);
  // Devices hold up no operator: a city that comes back after an outage asks beside the pool that answers people.
  const ingestion = ingestionRoutes({ ingest: link.ingest, authenticate: createDeviceAccess({ db: floor.db }), rates: createRateWindows({ db: floor.db, clock: floor.clock }) });
  const described = [...ingestion, ...people.bindings, ...lamps.bindings, ...work.bindings, ...demo.bindings, ...maps, ...protocol, ...systemHealthRoutes(health)];
  const bindings = [...described, ...apiDocsRoutes(described, surroundings.config)];
  const { address, live, port } = await startHttp(surroundings, floor, people, link, bindings);
  await startWatching({ ...surroundings, ...floor, ...link, live, health, port });
  startJobs(surroundings, floor, people, lamps, work);
  demo.play();
  return { address, installation: people.installation, routes: bindings.map(({ route }) => route), bindings };
}

type Floor = Awaited<ReturnType<typeof startFloor>>;
type People = Awaited<ReturnType<typeof createPeople>>;
type Link = Awaited<ReturnType<typeof startLink>>;
type LampParts = ReturnType<typeof createLampParts>;
type Work = ReturnType<typeof createWork>;

/** Technology that knows no lamps. */
async function startFloor({ config, log, running, signal }: Surroundings) {
  const clock = systemClock((thrown) => log.error({ err: thrown }, 'a timer failed'));
  const watch = createWatch(clock, running);
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, baseDir: config.baseDir, log, signal });
  running.add('database', (leftMs) => database.stop(leftMs));
  running.add('broker claim', await claimBroker({ config, log, database }));
  const keys = openKeys(config.secretKeyFile, { isFirstStart: !(await hasSecrets(database.db)) });
  const files = openFiles(config.filesFolder);
  const bus = await startBus(database.connection, log);
  running.add('bus', () => bus.stop());
  const leases = createLeases({ connection: database.connection, clock, log, holder: processName, leaseMs: config.leaseSeconds * 1000, alone: config.databaseUrl === null });
  running.add('leases', () => leases.stop());
  const rates = createRateWindows({ db: database.answering, clock });
  const sheets = createSheets({ worker: new URL('./sheet-worker.ts', import.meta.url), connection: database.connection, clock, log });
  return { clock, watch, database, db: database.db, answering: database.answering, keys, files, bus, leases, rates, sheets };
}

/** Who may sign in and what they may do. */
async function createPeople({ config, running }: Surroundings, { clock, watch, db: beside, answering: db, bus, rates, keys, sheets }: Floor) {
  const installation = await prepareInstallation({
    db: beside, dataDir: config.dataDir, adminPassword: config.adminPassword, menu: builtInMenu({ demo: config.demo }), hash: hashPassword,
    refusal: async (password, username) => ((await passwordWeaknesses(password, username)).length > 0 ? passwordRuleText('en-US') : undefined),
  });
  const sessions = createSessions({ db, clock, bus });
  const accounts = createAccounts({ db, clock });
  const operations = createOperationLog({ db, clock });
  running.add('refused calls of nobody', () => operations.writeCounted('all'));
  const loginLog = createLoginLog({ db, clock, rates });
  const signIn = createSignInFeature({ db, clock: watch.jobs.named('sessions'), accounts, sessions, loginLog, rates, config, operations, rsa: await rsaPair(keys, beside) });
  const logs = createLogs({ db: beside, clock, sheets });
  const bindings: Binding[] = [
    ...signInRoutes(signIn), ...accountsRoutes(accounts), ...menusRoutes({ db }), ...menuConfigurationRoutes(createMenuConfiguration({ db, bus })),
    ...workGroupsRoutes(createWorkGroups({ db, bus })), ...organisationsRoutes(createOrganisations({ db, bus })), ...logsRoutes(createLogs({ db, clock, sheets })),
    ...rolesRoutes(createRoles({ db, bus })), ...usersRoutes({ db, clock, bus, accounts, sessions, openPassword: signIn.openPassword, checkOwnPassword: signIn.checkOwnPassword }), ...loginAppearanceRoutes(createLoginAppearances({ db })),
    ...preferencesRoutes({ db, accounts, warnings: headerWarnings(config) }), ...previewsRoutes(createPreviews({ accounts, sessions })),
  ];
  return { installation, sessions, operations, signIn, logs, bindings };
}

/** The wire to the devices: the broker, and what they say on its way into the database. */
async function startLink({ config, log, running, signal }: Surroundings, { clock, watch, db, bus, keys, leases }: Floor) {
  const proofs = createProofs({ bus, meter: watch.meters.command });
  const journal = createJournal({ db, bus, clock, log });
  const lines = createLineJournal({ db, clock, log });
  const newcomers = createNewcomers({ db, bus, clock, keys, log });
  const ingest = createIngest({ db, bus, clock: watch.jobs.named('partitions'), log, proofs, stored: (ids) => bus.publish('devices.changed', { ids }), newcomer: newcomers.take, refused: journal.refused, ...(config.mqttUrl === null ? {} : { line: lines.status }), meter: watch.meters.ingest });
  // Stopped after the broker, which waits for the messages in work.
  running.add('ingest', () => ingest.stop());
  running.add('journal', () => journal.settled());
  running.add('lines', () => lines.settled());
  const broker = await startBroker({
    config, log, db, clock, signal, leases,
    witness: (event) => {
      journal.witness(event);
      lines.witness(event);
      newcomers.witness(event);
    },
  });
  running.add('broker', () => broker.stop());
  running.add('watched lines', journal.start());
  running.add('lines written', lines.start());
  running.add('newcomers', newcomers.start(broker));
  running.add('receiving', await ingest.start(broker));
  running.add('credentials', watchCredentials({ broker, bus, db, log }));
  if (broker.kind === 'external') running.add('accounts left', leases.every('accounts left', hourMs, () => takeAwayLeft({ broker, db, clock, log })));
  const loopback = ['0.0.0.0', '::'].includes(config.mqttHost) ? '127.0.0.1' : config.mqttHost;
  /** Where a device on this machine finds the broker; without credentials. */
  const address = 'port' in broker ? `mqtt://${loopback.includes(':') ? `[${loopback}]` : loopback}:${broker.port}` : withoutCredentials(config.mqttUrl ?? '');
  return { ingest, broker, address };
}

function withoutCredentials(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href.replace(/\/$/, '');
}

/** Devices, what is known of them, what they are told. */
function createLampParts({ config, log, running }: Surroundings, { clock, watch, db, answering, bus, leases, keys, files }: Floor, { broker, ingest }: Link) {
  const periods = reportPeriods();
  const thresholds = defaultThresholds;
  const judging = createJudging({
    db, clock: watch.jobs.named('judging'), thresholds, periods, listening: () => broker.problem() === null,
    announce: (ids) => bus.publish('lamps.judged', { ids }),
    onError: (thrown) => log.error({ err: thrown }, 'judging failed'),
  });
  const lamps = createLamps({ db: answering, clock, periods });
  const home = createHome({ db: answering, clock, thresholds, periods });
  const hold = holdOf(periods);
  const loads = createLoadSums({ db, clock: watch.jobs.named('loads'), hold });
  const devicesOn = (on: Db) => createDevices({ db: on, bus, keys, clock, log, provision: provisionOn(broker), forget: (names) => removeUnkept({ db, files }, names) });
  const [devices, askedDevices] = [devicesOn(db), devicesOn(answering)];
  const pending = createPending({ db, bus, clock: watch.jobs.named('accounts'), keys, log, provision: provisionOn(broker), grant: (accounts) => broker.grant(accounts) });
  const connections = createConnections({ db, clock: watch.jobs.named('connections'), devices });
  running.add('accounts for the broker', leases.hold('accounts for the broker', () => pending.start()));
  const batches = createBatches({ db: answering, bus, clock, keys, pending });
  const inbox = createInbox({
    db: answering, bus, clock, keys, log, devices: askedDevices, pending, builtIn: broker.kind === 'embedded',
    replay: (topic, payload, receivedAt) => ingest.take({ topic, payload, username: null }, receivedAt),
  });
  const records = createRecords({ db: answering, bus, keys });
  const limits = createLimits({ db, clock, bus });
  const dispatcher = createDispatcher({ db, clock: watch.jobs.named('commands'), bus, broker, log, limits, meter: watch.meters.command });
  const commands = createCommandFeature({ db: answering, clock, bus, limits, queued: () => dispatcher.wake() });
  const settings = createDeviceSettings({ db, clock: watch.jobs.named('settings'), bus, broker, log });
  const bindings: Binding[] = [
    ...lampsRoutes(lamps), ...homeRoutes(home), ...devicesRoutes(askedDevices), ...deviceAccessRoutes({ db: answering, keys }), ...recordsRoutes(records), ...dictionariesRoutes(createDictionaries({ db: answering })),
    ...provisioningRoutes(batches, inbox), ...searchRoutes(createSearch({ db: answering })), ...commandsRoutes(commands), ...deviceHistoryRoutes(createDeviceHistory({ db: answering, devices: askedDevices })),
    ...historyRoutes(createHistory({ db: answering, clock }), createEnergy({ db: answering }), createHistoryStorage({ db: answering, clock, dataDir: config.databaseUrl === null ? config.dataDir : null })), ...connectionsRoutes(createConnections({ db: answering, clock, devices: askedDevices })),
    ...attachmentsRoutes(createAttachments({ db: answering, bus, clock, files, draw: photoDrawing(new URL('./photo-worker.ts', import.meta.url)) })),
    ...labelsRoutes(createLabels({ db: answering, secure: config.tls !== null, worker: new URL('./label-worker.ts', import.meta.url) })), ...statisticsRoutes(createStatistics({ db: answering, clock }), createExpiries({ db: answering, clock })),
    ...topologyRoutes(createTopology({ db: answering, clock, devices: askedDevices }), createMover({ db: answering, bus, clock })), ...deviceMapRoutes(createDeviceMap({ db: answering, clock })),
  ];
  return { judging, connections, devices, dispatcher, settings, loads, hold, bindings };
}

/** Long work of every feature, and the calls that begin it. */
function createWork({ db, answering, bus, clock, files, sheets }: Floor, { logs, sessions }: People, { devices }: LampParts) {
  const kinds: TaskKinds = { ...logExportTasks(logs), ...importTasks({ db, bus, clock, files, devices, areasOf: sessions.workAreasOf }), ...deviceExportTask({ db, clock, sheets, areasOf: sessions.workAreasOf }), ...commandExportTask({ db, sheets, areasOf: sessions.workAreasOf }), ...historyExportTask({ db, sheets, areasOf: sessions.workAreasOf }) };
  const tasks = createTasks({ db: answering, bus, clock, files, kinds });
  const bindings: Binding[] = [...tasksRoutes(tasks), ...commandExportRoutes(tasks), ...historyExportRoutes(tasks), ...importsRoutes(createImports({ db: answering, clock, files, tasks }))];
  return { kinds, bindings };
}

/** The demonstration: its city in the database, and its devices as a process of their own. */
function createDemoParts({ config, log, running }: Surroundings, { clock, db, answering, bus, leases }: Floor, { broker, address }: Link, { devices }: LampParts) {
  const folder = join(config.dataDir, 'simulator');
  const demo = createDemo({ db, answering, bus, clock, devices, enabled: config.demo, lamps: config.demoLamps, folder });
  const everythingRuns = Promise.withResolvers<void>();
  let giveBack: (() => Promise<void>) | undefined;
  /** In one process at a time: two would sign its devices in against each other. The first start makes the city before the program answers requests. */
  const make = async () => {
    if (!config.demo) return;
    const made = Promise.withResolvers<void>();
    made.promise.catch(() => undefined);
    giveBack = leases.hold('demo', async (held) => {
      held.signal.addEventListener('abort', () => everythingRuns.resolve(), { once: true });
      const starting = demo.start(broker, address);
      starting.then(() => made.resolve(), made.reject);
      const { lamps } = await starting;
      await everythingRuns.promise;
      if (!held.isMine()) return () => undefined;
      const simulator = startSimulator({ handoverFile: handoverFile(folder), lamps, log, clock });
      return () => simulator.stop();
    });
    await leases.tried();
    if (leases.held().includes('demo')) await made.promise;
  };
  const play = () => {
    everythingRuns.resolve();
    if (giveBack) running.add('demo', giveBack);
  };
  return { bindings: demoRoutes(demo), make, play, hasGround: async () => (await demo.state()).workAreaId !== null };
}

/** How often lamps and controllers report by themselves, seconds, as the catalogue says. */
function reportPeriods() {
  const lamp = families.find(({ key }) => key === 'single-lamp-controller')?.report;
  const controller = families.find(({ key }) => key === 'central-controller')?.report;
  if (!lamp || !controller) throw new Error('the catalogue has no reporting periods for lamps');
  return { litSeconds: lamp.lit, unlitSeconds: lamp.unlit, controllerSeconds: controller.heartbeat };
}

/** HTTP, and from the same origin the built console. Returns where a browser finds it, and its live connections. */
async function startHttp({ config, log, running, signal }: Surroundings, { clock, watch, answering, database, bus }: Floor, people: People, { broker }: Link, bindings: readonly Binding[]) {
  const consoleFolder = join(checkoutFolder, 'console/dist');
  const usability = createUsability(database.connection);
  running.add('readiness', () => usability.stop());
  const app = await createHttp({
    config, log, clock, db: database.answering, authenticate: people.sessions.authenticate, operations: people.operations, stopping: signal,
    notReady: async () => (await usability.ask()) ?? broker.problem() ?? undefined, served: watch.meters.served, untold: (what) => log.error({ defect: what }, 'a call does not declare its rules'),
    ...(existsSync(join(consoleFolder, 'index.html')) ? { consoleFolder } : {}),
  }, bindings);
  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (thrown) {
    throw listenProblem(thrown, 'PORT', config.host, config.port);
  }
  running.add('http', () => app.close());
  const { topics, start } = createLiveTopics({ db: answering, bus, clock, log });
  const live = createLive({
    topics, clock, bus, log, allowedOrigins: config.allowedOrigins, trustedProxies: config.trustedProxies,
    authenticate: (token, address) => people.sessions.authenticate(token, { background: true, address }), callers: people.sessions.callers,
  });
  live.attach(app.server);
  running.add('live topics', start());
  running.add('live', () => live.stop());
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  return { address: `${config.tls ? 'https' : 'http'}://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`, live, port };
}

/** What happens by the clock. */
function startJobs({ log, running }: Surroundings, { watch, db, database, bus, leases, files, sheets }: Floor, { signIn, installation }: People, { judging, connections, dispatcher, settings, loads, hold }: LampParts, { kinds }: Work): void {
  running.add('cleaning', signIn.startCleaning());
  running.add('first password', watchInitialPassword(db, installation, watch.jobs.named('password')));
  running.add('log seals', startLogSeals({ db, clock: watch.jobs.named('seals'), log }));
  // Stopped before HTTP waits for the requests in work, after the tasks have given theirs up.
  running.add('sheets', () => sheets.stop());
  running.add('tasks', startTaskRunner({ db, connection: database.connection, bus, clock: watch.jobs.named('tasks'), files, log, kinds }));
  running.add('file sweep', leases.hold('file sweep', () => startFileSweep({ db, clock: watch.jobs.named('files'), files, log })));
  running.add('history', leases.hold('history', () => createRoller({ db, clock: watch.jobs.named('history'), log, cameLate: (tx, hours) => markLoadsDue(tx, hours, hold) }).start()));
  running.add('loads', leases.hold('loads', () => loads.start()));
  running.add('history retention', leases.hold('history retention', () => startHistoryRetention({ db, clock: watch.jobs.named('retention'), log })));
  running.add('import rows', leases.hold('import rows', () => startImportRetention({ db, clock: watch.jobs.named('imports'), log })));
  running.add('search words', leases.hold('search words', () => startFillingSearchWords({ db, clock: watch.jobs.named('search'), log })));
  running.add('judging', leases.hold('judging', () => judgeWhatChanges(judging, bus, log)));
  running.add('connection log', connections.start());
  running.add('dispatcher', dispatcher.start());
  running.add('device settings', leases.hold('device settings', () => settings.start()));
}

/** Judging in one process at a time: what the others store is told over the bus. */
function judgeWhatChanges(judging: Judging, bus: Bus, log: Log): Stop {
  const catchUp = () => void judging.catchUp().catch((thrown: unknown) => log.warn({ err: thrown }, 'what came last could not be judged again'));
  catchUp();
  const stops = [bus.subscribe('bus.resumed', catchUp), bus.subscribe('devices.changed', ({ ids }) => judging.touch(ids)), bus.subscribe('settings.changed', () => judging.lookAtAll()), judging.start()];
  return () => stops.forEach((stop) => stop());
}
