import type { Measure } from '../measure.ts';
import { commands } from './commands.ts';
import { mapPanning } from './map-panning.ts';
import { rights } from './rights.ts';
import { signInWeight } from './sign-in-weight.ts';
import { starts } from './starts.ts';

export const measures: readonly Measure[] = [signInWeight, starts, commands, mapPanning, rights];
