import type { Heard, Said, Speaker } from '../../../../protocols/wire.ts';
import { brokerWire } from './broker-wire.ts';

const linePlace = /^lines\/([1-9]\d{0,14})(?:\/children\/([1-9]\d{0,14}))?$/;

/** Where something was said that came over a line, for log lines, refusals and what waits. */
export const linePlaceOf = ({ deviceId, viaId }: Speaker): string =>
  viaId === null ? `lines/${deviceId}` : `lines/${viaId}/children/${deviceId}`;

/** Whose message it is by the place it came to. */
export function speakerAt(place: string): Speaker | undefined {
  const [found, first, child] = linePlace.exec(place) ?? [];
  if (found === undefined) return brokerWire.speakerAt(place);
  return child === undefined
    ? { deviceId: Number(first), viaId: null }
    : { deviceId: Number(child), viaId: Number(first) };
}

/** What was said over a line, as it is kept until the clock of its device is known. */
export const keptAs = (said: Said): Buffer => Buffer.from(JSON.stringify(said));
/** What was kept, by whichever door it came. */
export const hearKept = (place: string, payload: Uint8Array): Heard =>
  linePlace.test(place)
    ? { ok: true, message: JSON.parse(Buffer.from(payload).toString()) as Said }
    : brokerWire.hear(place, payload);
