import type { Measure } from '../measure.ts';
import { accountList } from './accounts.ts';
import { city } from './city.ts';
import { commands } from './commands.ts';
import { commandsAtScale } from './commands-scale.ts';
import { deviceMap } from './device-map.ts';
import { deviceLists } from './devices.ts';
import { downloads } from './downloads.ts';
import { growth } from './growth.ts';
import { hostile } from './hostile.ts';
import { imports } from './imports.ts';
import { ingest } from './ingest.ts';
import { live } from './live.ts';
import { logs } from './logs.ts';
import { mapPanning } from './map-panning.ts';
import { mqttEndToEnd, mqttMemory } from './mqtt.ts';
import { night } from './night.ts';
import { organisationTree } from './organisations.ts';
import { plans, simulation, why } from './plans.ts';
import { rights } from './rights.ts';
import { energy } from './energy.ts';
import { globalSearch } from './search.ts';
import { signInWeight } from './sign-in-weight.ts';
import { readingLayout } from './reading-layout.ts';
import { starts } from './starts.ts';
import { year } from './year.ts';

export const measures: readonly Measure[] = [
  signInWeight,
  downloads,
  starts,
  hostile,
  commands,
  commandsAtScale,
  mapPanning,
  deviceMap,
  rights,
  accountList,
  logs,
  organisationTree,
  globalSearch,
  imports,
  deviceLists,
  ingest,
  mqttEndToEnd,
  mqttMemory,
  live,
  city,
  growth,
  readingLayout,
  energy,
  night,
  year,
  plans,
  why,
  simulation,
];
