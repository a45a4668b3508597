import { families, familyOf, validate, type Command, type Family } from '../../../../catalogue/index.ts';
import { nextSwitch } from '../../../../catalogue/lighting/plan.ts';
import type { SunPlace } from '../../../../catalogue/lighting/sun.ts';
import type { commandStates } from '../../../../contract/routes/commands.ts';
import { refuse, refuseProblems } from '../../platform/http/index.ts';

export type CommandState = (typeof commandStates)[number];
export const openStates = ['queued', 'sent', 'acknowledged'] as const satisfies readonly CommandState[];
/** What may be tried again. */
export const missedStates = ['failed', 'timedOut', 'expired'] as const satisfies readonly CommandState[];

export const mostDevices = 20_000;
/** A manual state never lasts longer, milliseconds. */
export const longestMs = 24 * 3_600_000;
/** Levels this close, in points, are equal. */
const levelTolerance = 5;

export type Args = Readonly<Record<string, unknown>>;

/** The command as every one of these families declares it; refuses one that a family does not offer, or wrong arguments. */
export function checkCommand(families: Iterable<string>, command: string, args: Args): { readonly lasting: boolean; readonly args: Args } {
  const offers = [...families].map((key) => commandOf(familyOf(key), command));
  const [declared] = offers;
  if (!declared || offers.includes(undefined)) throw refuse('unknownCommand', { command }, { fields: [{ field: 'command', rule: 'invalid' }] });
  const result = validate({ fields: declared.args, rules: [] }, args, 'create');
  if ('problems' in result) throw refuseProblems(result.problems.map((problem) => ({ ...problem, field: `args.${problem.field}` })));
  return { lasting: declared.lasting, args: result.value };
}

/** The families that offer a command, before any device is looked at: refuses one that none offers, or arguments that none of them takes. */
export function familiesOffering(command: string, args: Args): string[] {
  const offering = families.filter((family) => commandOf(family, command)).map(({ key }) => key);
  const taking = offering.filter((key) => 'value' in validate({ fields: commandOf(familyOf(key), command)?.args ?? [], rules: [] }, args, 'create'));
  if (taking.length === 0) checkCommand(offering.slice(0, 1), command, args);
  return offering;
}

const commandOf = (family: Family | undefined, key: string): Command | undefined => family?.commands.find((command) => command.key === key);

/** When a manual state that was given no end ends: the place's next dusk or dawn switch, at most 24 h away. Epoch ms. */
export function defaultEnd(now: number, place: SunPlace | undefined): number {
  const next = place ? nextSwitch(now, place)?.at : undefined;
  return Math.min(next ?? Number.POSITIVE_INFINITY, now + longestMs);
}

export type Values = Readonly<Record<string, unknown>>;

/** Whether a reading taken after the execution shows that the device did what it was told. */
export function proves(familyKey: string, command: string, args: Args, values: Values): boolean {
  switch (command) {
    case 'on': return shows(values, 100, true);
    case 'off': return shows(values, 0, false);
    case 'dim': return shows(values, Number(args['level']), true);
    // Back to programme and "report now" ask for no state: any full reading answers them.
    default: return isFull(familyKey, values);
  }
}

const shows = (values: Values, level: number, relay: boolean): boolean =>
  typeof values['level'] === 'number' && Math.abs(values['level'] - level) <= levelTolerance && values['relay'] === relay;

/** A full reading carries what tells the state of the device: level, power and relay, as far as its family has them. */
function isFull(familyKey: string, values: Values): boolean {
  const family = familyOf(familyKey);
  return ['level', 'power', 'relay'].every((key) => !family?.quantity.has(key) || Object.hasOwn(values, key)) && Object.keys(values).length > 0;
}

export interface Proof { readonly at: string; readonly level: number | null; readonly power: number | null; readonly relay: boolean | null }

/** What of a reading is kept beside the command. */
export function proofOf(at: Date, values: Values): Proof {
  const number = (key: string) => (typeof values[key] === 'number' ? values[key] : null);
  return { at: at.toISOString(), level: number('level'), power: number('power'), relay: typeof values['relay'] === 'boolean' ? values['relay'] : null };
}
