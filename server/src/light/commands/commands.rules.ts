import { families, familyOf, validate, type Args, type Command, type Family } from '../../../../catalogue/index.ts';
import { nextSwitch } from '../../../../catalogue/lighting/plan/lamp-plan.ts';
import type { LampPlan } from '../../../../catalogue/lighting/plan/programme.ts';
import {
  commandBounds,
  commandLanes,
  type approvalOutcomes,
  type commandStates,
} from '../../../../contract/light/commands.ts';
import { refuse, refuseFields, refuseProblems } from '../../platform/http/index.ts';

export type CommandState = (typeof commandStates)[number];
export type Lane = (typeof commandLanes)[number];
export type ApprovalOutcome = (typeof approvalOutcomes)[number];
/** What nothing was sent of yet. */
export const unsentStates = ['waiting', 'queued'] as const satisfies readonly CommandState[];
export const openStates = [...unsentStates, 'sent', 'acknowledged'] as const satisfies readonly CommandState[];
/** What is tried again unless other states are named. */
export const missedStates = ['failed', 'timedOut', 'expired'] as const satisfies readonly CommandState[];

/** A manual state never lasts longer, milliseconds. */
export const longestMs = commandBounds.longestExpiry * 1000;
/** How strong a lane is: 0 is the strongest. */
export const strengthOf = (lane: Lane): number => commandLanes.indexOf(lane);
export type { Args };

/**
 * The command as every one of these families declares it; refuses one that a family does not offer, or wrong arguments.
 */
export function checkCommand(
  families: Iterable<string>,
  command: string,
  args: Args,
): { readonly lasting: boolean; readonly args: Args } {
  const offers = [...families].map((key) => commandOf(familyOf(key), command));
  const [declared] = offers;
  if (!declared || offers.includes(undefined))
    throw refuse('unknownCommand', { command }, { fields: [{ field: 'command', rule: 'invalid' }] });
  const result = validate({ fields: declared.args, rules: [] }, args, 'create');
  if ('problems' in result)
    throw refuseProblems(result.problems.map((problem) => ({ ...problem, field: `args.${problem.field}` })));
  return { lasting: declared.lasting, args: result.value };
}

/**
 * The families that offer a command, before any device is looked at: refuses one that none offers, or arguments that
 * none of them takes.
 */
export function familiesOffering(command: string, args: Args): string[] {
  const offering = families.filter((family) => commandOf(family, command)).map(({ key }) => key);
  const taking = offering.filter(
    (key) => 'value' in validate({ fields: commandOf(familyOf(key), command)?.args ?? [], rules: [] }, args, 'create'),
  );
  if (taking.length === 0) checkCommand(offering.slice(0, 1), command, args);
  return offering;
}

/** The lane of a command; an emergency only raises light, and a question has a lane of its own. */
export function laneOf(command: string, lane: Lane | undefined): Lane {
  const declared = commandNamed(command);
  if (declared?.question) {
    if (lane !== undefined) throw refuseFields({ field: 'lane', rule: 'invalid' });
    return 'read';
  }
  if (lane === 'emergency' && !declared?.emergency)
    throw refuse('emergencyOnlyRaises', {}, { fields: [{ field: 'command', rule: 'invalid' }] });
  return lane ?? 'manual';
}

/** Whether a command only asks. */
export const isQuestion = (command: string): boolean => commandNamed(command)?.question === true;
/** The lane of questions as rows carry it. */
export const questionLane = strengthOf('read');

export interface Policy {
  readonly reasonAbove: number | null;
  readonly approvalAbove: number | null;
  readonly withinMinutes: number;
  readonly approvalMinutes: number;
  readonly off: boolean;
  readonly dimBelow: number | null;
}
/** Whether a command takes light away, as the site's policy understands it. */
export function darkens(command: string, args: Args, { off, dimBelow }: Policy): boolean {
  const level = commandNamed(command)?.light?.(args) ?? null;
  if (level === null) return false;
  return level === 0 ? off : dimBelow !== null && level < dimBelow;
}

/** How many devices a first part holds, at least one and never all. */
export const canaryCount = (
  { count, share }: { readonly count?: number | undefined; readonly share?: number | undefined },
  total: number,
): number =>
  Math.max(1, Math.min(count ?? Math.ceil((total * (share ?? 0)) / 100), commandBounds.canary.count, total - 1));

/** Which of a row of things make `count` of them, spread evenly over it. */
export const isSpread = (index: number, count: number, total: number): boolean =>
  Math.floor(((index + 1) * count) / total) > Math.floor((index * count) / total);

const commandOf = (family: Family | undefined, key: string): Command | undefined =>
  family?.commands.find((command) => command.key === key);
/** What families that share a command declare alike. */
const commandNamed = (key: string): Command | undefined =>
  commandOf(
    families.find((family) => commandOf(family, key) !== undefined),
    key,
  );

/** How long a state may last, milliseconds. */
export const lastingMs = (lane: Lane): number => (lane === 'emergency' ? commandBounds.emergency * 1000 : longestMs);

/**
 * When a state that was given no end ends: the next switch of the lamp's plan, at most as far away as its lane
 * allows. Epoch ms.
 */
export function defaultEnd(now: number, plan: LampPlan | undefined, lane: Lane): number {
  // An emergency is not over because the sun rises.
  const next = plan && lane !== 'emergency' ? nextSwitch(plan, now)?.at : undefined;
  return Math.min(next ?? Number.POSITIVE_INFINITY, now + lastingMs(lane));
}

export type Reported = Readonly<Record<string, unknown>>;

/** Whether a reading taken after the execution shows that the device did what it was told. */
export function proves(familyKey: string, command: string, args: Args, values: Reported): boolean {
  const shown = commandOf(familyOf(familyKey), command)?.proves?.(args);
  if (!shown) return isFull(familyKey, values);
  return Object.entries(shown).every(([key, wanted]) => {
    const value = values[key];
    return typeof wanted === 'boolean'
      ? value === wanted
      : typeof value === 'number' && Math.abs(value - wanted.about) <= wanted.within;
  });
}

/** A full reading carries what tells the state of the device: level, power and relay, as far as its family has them. */
function isFull(familyKey: string, values: Reported): boolean {
  const family = familyOf(familyKey);
  return (
    ['level', 'power', 'relay'].every((key) => !family?.quantity.has(key) || Object.hasOwn(values, key)) &&
    Object.keys(values).length > 0
  );
}

export interface Proof {
  readonly at: string;
  readonly level: number | null;
  readonly power: number | null;
  readonly relay: boolean | null;
}

/** What of a reading is kept beside the command. */
export function proofOf(at: Date, values: Reported): Proof {
  const number = (key: string) => (typeof values[key] === 'number' ? values[key] : null);
  return {
    at: at.toISOString(),
    level: number('level'),
    power: number('power'),
    relay: typeof values['relay'] === 'boolean' ? values['relay'] : null,
  };
}

/** Whether the time is over in which a second person could have agreed; a job writes that down soon. */
export const isOverdue = (
  { phase, approval }: { readonly phase: string; readonly approval: Readonly<Record<string, unknown>> | null },
  now: Date,
): boolean => phase === 'awaitingApproval' && Date.parse(String(approval?.['expiresAt'])) <= now.getTime();
