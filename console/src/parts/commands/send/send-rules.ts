import type { Static } from 'typebox';
import { familyOf, type Command } from '../../../../../catalogue/index.ts';
import { lampFamily } from '../../../../../catalogue/lighting/families.ts';
import type { CommandSettings } from '../../../../../contract/light/command-settings.ts';
import { commandBounds } from '../../../../../contract/light/commands.ts';
import type { Ask, CommandBody } from '../commands.ts';

const declared = (command: Ask['command']): Command | undefined =>
  familyOf(lampFamily)?.commands.find(({ key }) => key === command);

export type Policy = Static<typeof CommandSettings>['policy'];

/** Whether a command takes light away, by the site's own words: `off`, and levels below the site's. */
export function darkens(policy: Policy, { command, ...args }: Ask): boolean {
  const level = declared(command)?.light?.(args) ?? null;
  if (level === null) return false;
  return level === 0 ? policy.off : policy.dimBelow !== null && level < policy.dimBelow;
}

/** What the site wants before so many lamps get this command. The server decides; this tells it beforehand. */
export function needsOf(
  policy: Policy | undefined,
  ask: Ask,
  lamps: number,
  emergency: boolean,
): { reason: boolean; approval: boolean } {
  if (emergency) return { reason: true, approval: false };
  if (!policy || !darkens(policy, ask)) return { reason: false, approval: false };
  const above = (limit: number | null): boolean => limit !== null && lamps > limit;
  return { reason: above(policy.reasonAbove), approval: above(policy.approvalAbove) };
}

/** In an emergency light is only raised. */
export const mayBeEmergency = (command: Ask['command']): boolean => declared(command)?.emergency === true;

/** Conditions of one command beyond what it does; null: none. */
export interface Conditions {
  /** Seconds from now; null: the site's limit. */
  readonly expiry: number | null;
  readonly canary: {
    readonly by: 'count' | 'share';
    readonly amount: number;
    readonly minSuccessPercent: number;
    readonly waitSeconds: number;
  } | null;
  readonly stopAt: { readonly failurePercent: number; readonly afterAtLeast: number } | null;
}
export const noConditions: Conditions = { expiry: null, canary: null, stopAt: null };
export const usualCanary: NonNullable<Conditions['canary']> = {
  by: 'share',
  amount: 5,
  minSuccessPercent: 95,
  waitSeconds: 120,
};
export const usualStop: NonNullable<Conditions['stopAt']> = { failurePercent: 10, afterAtLeast: 50 };
/** Offered as ends, seconds. */
export const expiries = [60, 300, 900, 3600, 6 * 3600].filter((seconds) => seconds <= commandBounds.longestExpiry);

/** How many lamps a canary would take of so many: at least one, never all that there are. */
export const canarySize = (
  { by, amount }: Pick<NonNullable<Conditions['canary']>, 'by' | 'amount'>,
  lamps: number,
): number =>
  Math.max(
    1,
    Math.min(by === 'count' ? amount : Math.ceil((lamps * amount) / 100), commandBounds.canary.count, lamps - 1),
  );

/**
 * The conditions as the command's body carries them. A canary of one lamp's command would be all of it: it has none.
 */
export function conditionsBody(
  { expiry, canary, stopAt }: Conditions,
  lamps: number,
  now: number,
): Pick<CommandBody, 'expiresAt' | 'canary' | 'stopAt'> {
  return {
    ...(expiry === null ? {} : { expiresAt: new Date(now + expiry * 1000).toISOString() }),
    ...(canary === null || lamps < 2
      ? {}
      : {
          canary: {
            ...(canary.by === 'count' ? { count: canary.amount } : { share: canary.amount }),
            minSuccessPercent: canary.minSuccessPercent,
            waitSeconds: canary.waitSeconds,
          },
        }),
    ...(stopAt === null ? {} : { stopAt: { ...stopAt } }),
  };
}
