import { families } from '../../catalogue/families/index.ts';
import { equipmentFamilies } from '../../simulator/city/equipment-kinds.ts';

/** Each of these files names each of these families, for this reason. */
export interface Exception {
  readonly files: readonly string[];
  readonly keys: readonly string[];
  readonly why: string;
}

const lamp = 'single-lamp-controller';
const controller = 'central-controller';

export const exceptions: readonly Exception[] = [
  {
    files: ['contract/family-pages.ts'],
    keys: families.map(({ key }) => key),
    why: 'The list of pages: where each family is managed. A new family has its line here.',
  },
  {
    files: ['console/src/frame/menu/device-pages.ts'],
    keys: ['lamp-pole'],
    why: 'The shell of the console loads without the catalogue, whose families come with the first list.',
  },
  {
    files: ['console/src/parts/devices/Head.tsx'],
    keys: ['lamp-pole'],
    why: 'A link to the row that `poleId` names; the address depends on its family.',
  },
  {
    files: ['server/src/light/rows/rows.store.ts'],
    keys: ['lamp-pole'],
    why: 'A row is made of poles: lamps of one pole share a place in it.',
  },
  {
    files: ['console/src/screens/light/publish/LampPicker.tsx'],
    keys: [lamp],
    why: 'Lamps are picked one by one to publish a plan to them; the list of devices asks for one family.',
  },
  {
    files: ['server/src/light/publications/publications.store.ts', 'server/src/light/schemes/places.store.ts'],
    keys: [lamp],
    why: 'A publication goes to lamps: of the devices of a road or a group they alone follow a plan.',
  },
  {
    files: ['server/src/light/schedules/time-table.store.ts'],
    keys: [lamp],
    why: 'Only lamps have a time table of their own.',
  },
  {
    files: ['console/src/screens/light/scheme/SimulationForm.tsx'],
    keys: [controller],
    why: 'A scope names controllers as lamps do: by the reference of a lamp to this family.',
  },
  {
    files: ['simulator/equipment/index.ts'],
    // A key without a hyphen is a name there, not a text.
    keys: equipmentFamilies.filter((key) => key.includes('-') || key === 'gateway'),
    why: 'Each family that a smart pole carries has a model of what it measures. A new family has its line here.',
  },
  {
    files: ['console/src/parts/icons/pickable.ts'],
    keys: ['wifi'],
    why: 'The name of an icon.',
  },
  {
    files: ['server/src/light/why/why.store.ts'],
    keys: [lamp, controller],
    why: 'What is explained is a lamp; contactor and selector are those of the controller of its cabinet.',
  },
  {
    files: ['server/src/light/why/why.service.ts'],
    keys: [lamp],
    why: 'The level of a command is read from the declaration of the family that is explained.',
  },
  {
    files: [
      'console/src/screens/light/polls/PollDialog.tsx',
      'console/src/parts/commands/send/send-rules.ts',
      'server/src/light/commands/targets.ts',
      'server/src/light/lamps/manual-spans.ts',
    ],
    keys: [lamp],
    why: 'A command without `families` is one to lamps: the call says so, and its commands are read from this family.',
  },
  {
    files: [
      'server/src/light/home/loads.store.ts',
      'server/src/light/lamps/lamps.store.ts',
      'server/src/history/readings/lamp-curves.ts',
    ],
    keys: [lamp],
    why: 'Figures of lamps, from the quantities of this family (level, power, energy); one key in SQL uses its indexes.',
  },
  {
    files: [
      'server/src/light/home/home.store.ts',
      'server/src/light/home/map.store.ts',
      'server/src/light/lamps/periods.ts',
      'server/src/history/readings/meters.ts',
    ],
    keys: [lamp, controller],
    why: 'Lamps and the controllers that switch them are counted, timed and metered by the night: a rule for each of the two.',
  },
  {
    files: [
      'server/src/light/nights/nights.query.ts',
      'server/src/light/nights/nights.store.ts',
      'server/src/light/nights/tonight.store.ts',
    ],
    keys: [lamp],
    why: 'Nights are those of lamps: which are lit, which ran their plan, and what each follows.',
  },
  {
    files: ['server/src/light/nights/facts.store.ts'],
    keys: [controller],
    why: 'A selector and contactors of the box decide whether a lamp can light: what its controller says.',
  },
  {
    files: ['server/src/watch/presence/judging.ts'],
    keys: [lamp],
    why: 'Lamps are judged by rules in code (light/lamps/rules.ts), other families by what they declare.',
  },
  {
    files: ['server/src/watch/presence/judge.store.ts', 'server/src/watch/presence/reach.ts'],
    keys: [lamp, controller],
    why: 'A lamp behind a controller is reached through it: its silence counts with the controller.',
  },
  {
    files: ['server/src/register/statistics/statistics.service.ts'],
    keys: [lamp, controller, 'time-controller'],
    why: 'The specified statistics are of these two controllers and the lamps below one of them.',
  },
  {
    files: ['protocols/mqtt-json/asyncapi.ts', 'console/src/screens/wires/inbox/BatchSecret.tsx'],
    keys: [lamp],
    why: 'The example of the documentation: one family stands for all.',
  },
  {
    files: ['simulator/single/options.ts'],
    keys: [lamp],
    why: 'The device that is played where the command line names none.',
  },
];
