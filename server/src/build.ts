import type { RouteShape } from '../../contract/route.ts';
import { createDesk } from './desk/index.ts';
import type { Job } from './feature.ts';
import { startFloor, type Floor, type Surroundings } from './floor.ts';
import { createHistoryWing } from './history/index.ts';
import { ingestFeature } from './ingest/feature.ts';
import { prepareHolidays } from './light/calendar/index.ts';
import { createLight } from './light/index.ts';
import { createLampPlans, createToldSettings } from './light/plans/index.ts';
import { createRegisterWeighing } from './light/weighing/index.ts';
import { wingMenus } from './menu.ts';
import { createPeople } from './people/index.ts';
import type { Installation } from './people/installation/index.ts';
import { sealLogs } from './people/log-seals/index.ts';
import type { Binding } from './platform/http/index.ts';
import { prepareDictionaries } from './register/dictionaries/index.ts';
import { createRegister } from './register/index.ts';
import { apiDocsRoutes } from './shell/api-docs/index.ts';
import { createShell } from './shell/index.ts';
import { startHttp } from './start-http.ts';
import { startLink } from './start-link.ts';
import { headerWarnings } from './start-notices.ts';
import { startWatching } from './start-watching.ts';
import { createWatchWing } from './watch/index.ts';
import { createWires } from './wires/index.ts';

/** How long a stop waits for changes of other processes before it seals the last rows. */
const lastSealsMs = 2000;

export interface Product {
  /** Where a browser finds it. */
  readonly address: string;
  readonly installation: Installation;
  /** Every route that is served, and with what. */
  readonly routes: readonly RouteShape[];
  readonly bindings: readonly Binding[];
}

/**
 * The composition root: the floor, the wings on it from the lowest to the highest, and what their features bring,
 * bound. Everything is created once, by name, and stopped in the reverse order. Throws StartError for what an operator
 * can mend.
 */
export async function build(surroundings: Surroundings): Promise<Product> {
  const floor = await startFloor(surroundings);
  const { running, log, db, config } = floor;
  // Stopped after everything that writes: the last rows are sealed too.
  running.add('last seals', () => sealLogs({ db, log }, lastSealsMs));
  await prepareDictionaries(db);
  await prepareHolidays(db, floor.clock.now());
  const desk = createDesk(floor);
  const people = await createPeople(floor, desk, headerWarnings(config), wingMenus);
  const link = await startLink(floor);
  const plans = createLampPlans(floor.bus, () => link.link.limits().packetBytes, log);
  running.add('plans', () => plans.stop());
  const register = createRegister(floor, desk, people, link, createRegisterWeighing({ plans, clock: floor.clock }));
  const wires = createWires(floor, people, register, link, createToldSettings(db, plans));
  const light = createLight(floor, desk, people, link, plans);
  const watch = createWatchWing(floor, link, plans);
  const history = createHistoryWing(floor, desk, people, light, plans);
  const shell = createShell(floor, register, link);
  await shell.demo.make();

  const features = [
    ingestFeature(floor, link),
    ...[desk, people, register, wires, light, watch, history, shell].flatMap((wing) => wing.features),
  ];
  for (const { tasks } of features) desk.book.offer(tasks ?? {});
  desk.book.refuseMissing();
  const described = features.flatMap(({ routes }) => routes ?? []);
  const bindings = [...described, ...apiDocsRoutes(described, config)];
  const { address, live, port } = await startHttp(
    floor,
    desk,
    people,
    link,
    shell,
    bindings,
    features.flatMap(({ hints }) => hints ?? []),
  );
  const metrics = features.flatMap((feature) => feature.metrics ?? []);
  await startWatching({ ...floor, ...link, live, health: shell.health, port, metrics });
  await startJobs(
    floor,
    features.flatMap(({ jobs }) => jobs ?? []),
  );
  shell.demo.play();
  return { address, installation: people.installation, routes: bindings.map(({ route }) => route), bindings };
}

/** What happens beside the requests. */
async function startJobs({ running, leases, sheets }: Floor, jobs: readonly Job[]): Promise<void> {
  // Stopped before HTTP waits for the requests in work, after the tasks have given theirs up.
  running.add('sheets', () => sheets.stop());
  for (const { name, where, start } of jobs)
    running.add(name, where === 'one process' ? leases.hold(name, start) : await start());
}
