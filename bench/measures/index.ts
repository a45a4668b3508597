import type { Measure } from '../measure.ts';
import { accountList } from './accounts.ts';
import { commands } from './commands.ts';
import { deviceMap } from './device-map.ts';
import { deviceLists } from './devices.ts';
import { imports } from './imports.ts';
import { logs } from './logs.ts';
import { mapPanning } from './map-panning.ts';
import { organisationTree } from './organisations.ts';
import { rights } from './rights.ts';
import { globalSearch } from './search.ts';
import { signInWeight } from './sign-in-weight.ts';
import { readingLayout } from './reading-layout.ts';
import { starts } from './starts.ts';

export const measures: readonly Measure[] = [signInWeight, starts, commands, mapPanning, deviceMap, rights, accountList, logs, organisationTree, globalSearch, imports, deviceLists, readingLayout];
