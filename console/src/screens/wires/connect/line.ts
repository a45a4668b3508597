import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getDeviceLink } from '../../../../../contract/wires/provisioning.ts';

export type Link = ReplyOf<typeof getDeviceLink>;
export type LinkEvent = Link['events'][number];

/** How far a device has come: each is proved by what the server saw, never guessed from another. */
export interface Reached {
  readonly connected: boolean;
  readonly subscribed: boolean;
  readonly heard: boolean;
}

const since = (link: Link, at: string | null): boolean =>
  at !== null && (link.issuedAt === null || at >= link.issuedAt);

/** What is reached with the credentials in force; `subscribed` cannot be seen on a broker of the site. */
export function reached(link: Link): Reached {
  const seen = (kind: string) => link.events.some((event) => event.kind === kind && since(link, event.at));
  const heard = since(link, link.receivedAt);
  return { connected: heard || link.connected === true || seen('connected'), subscribed: seen('subscribed'), heard };
}

/** Kinds of events that tell of something that went wrong. */
const wrong = new Set(['denied', 'subscriptionRefused', 'publishRefused', 'messageRefused', 'takenOver']);
export const isWrong = ({ kind }: LinkEvent): boolean => wrong.has(kind);

const told = [
  'denied.wrongPassword',
  'denied.wrongClientId',
  'denied.wrongUsername',
  'denied.unknownUser',
  'denied.foreignWill',
  'denied.unavailable',
  'messageRefused.notJson',
  'messageRefused.tooLarge',
  'messageRefused.tooDeep',
  'messageRefused.schema',
  'messageRefused.badTime',
  'messageRefused.forbiddenName',
  'messageRefused.unknownValue',
  'messageRefused.implausibleValue',
  'messageRefused.future',
  'messageRefused.tooOld',
  'messageRefused.noClock',
  'messageRefused.doubtedClock',
  'publishRefused.packetTooLarge',
  'publishRefused.foreignChild',
  'subscriptionRefused.foreignChild',
  'subscriptionRefused.tooManySubscriptions',
  'messageRefused.foreignChild',
] as const;
const alone = [
  'connected',
  'subscribed',
  'disconnected',
  'takenOver',
  'subscriptionRefused',
  'publishRefused',
  'denied',
  'messageRefused',
] as const;
export type EventWord = `event.${(typeof told)[number] | (typeof alone)[number]}`;

/** The words for an event: of its reason where there are some, else of its kind. */
export function wordOf({ kind, reason }: LinkEvent): EventWord {
  const particular = told.find((key) => key === `${kind}.${reason ?? ''}`);
  return `event.${particular ?? alone.find((key) => key === kind) ?? 'messageRefused'}`;
}
