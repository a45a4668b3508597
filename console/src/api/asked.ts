import type { RouteShape } from '../../../contract/route.ts';
import { headersOf } from './call.ts';
import { addressOf, type RawInput } from './request.ts';
import { baseOf } from './services.ts';

export interface Asked {
  readonly route: RouteShape;
  readonly input: RawInput;
}

/** By the `refetch` of an answer: lists hand that on, whatever they make of the rows. */
const byRefetch = new WeakMap<object, Asked>();
export const noteAsked = (refetch: object, asked: Asked): void => void byRefetch.set(refetch, asked);

/** The call behind an answer; undefined when it is not known. */
export const askedBehind = (refetch: object): Asked | undefined => byRefetch.get(refetch);

/** What a call waits for before it is sent, by the `refetch` of its answer. */
const holds = new WeakMap<object, Promise<unknown>>();
/** Holds back the calls behind an answer until `until` settles: another question may take their place. */
export const holdBack = (refetch: object, until: Promise<unknown>): void => void holds.set(refetch, until);
export const heldUntil = (refetch: object): Promise<unknown> | undefined => holds.get(refetch);

/** Stands for the account's own token, which is never copied. */
const TOKEN = '$TOKEN';
const quoted = (text: string): string => `"${text.replaceAll(/["\\`]/g, '\\$&')}"`;

/** The request behind an answer as an absolute URL and as a curl line; undefined when it is not known. */
export function requestOf(refetch: object): { readonly url: string; readonly curl: string } | undefined {
  const asked = askedBehind(refetch);
  if (asked === undefined) return undefined;
  const address = addressOf(asked.route, asked.input);
  const url = new URL(baseOf(address) + address, window.location.origin).href;
  const headers = Object.entries({ ...headersOf({ background: false }), Authorization: TOKEN });
  return {
    url,
    curl: ['curl', ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`), quoted(url)].join(' '),
  };
}
