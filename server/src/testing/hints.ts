import { tasksHint } from '../desk/tasks/feature.ts';
import { commandsHint } from '../light/commands/feature.ts';
import { homeHint } from '../light/home/feature.ts';
import { nightsHint } from '../light/nights/feature.ts';
import { publicationsHint } from '../light/publications/feature.ts';
import { plansHint } from '../light/versioned/index.ts';
import { menusHint } from '../people/menus/feature.ts';
import { sessionHint } from '../people/sessions/feature.ts';
import { inboxHint } from '../wires/provisioning/feature.ts';

/** The hints of the product's features. */
export const hints = [
  tasksHint,
  menusHint,
  sessionHint,
  inboxHint,
  homeHint,
  commandsHint,
  plansHint,
  publicationsHint,
  nightsHint,
];
