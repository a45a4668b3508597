import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Aedes } from 'aedes';
import { WideMap } from '../wide-map.ts';
import { covers } from './rights.ts';

interface Retained {
  readonly topic: string;
  readonly payload: { readonly length: number };
}
/** What of Aedes' store of retained messages is used here; Aedes itself declares it as anything. */
interface Store {
  storeRetained(packet: Retained): Promise<void>;
  createRetainedStreamCombi(filters: readonly string[]): Readable;
}

/** A filter of a device always has this many fixed levels: its identity. */
const namedLevels = 4;
/** Parts of what is kept, each of some thousand places in a city. */
const parts = 256;
const placeOf = (levels: readonly string[]): string => levels.slice(0, namedLevels).join('/');

/**
 * Finds what is retained for a subscription by whom it is about. Aedes looks through everything for each subscription:
 * when ten thousand devices with settings came back at once, none was let in within the time that it waits.
 */
export function findRetainedByPlace(aedes: Aedes, matches: (filter: string, topic: string) => boolean = covers): void {
  const store = Reflect.get(aedes, 'persistence') as Store;
  const places = new WideMap<string, Map<string, Retained>>((place) => crc32(place) % parts);
  store.storeRetained = (packet) => {
    const { topic, payload } = packet;
    const place = placeOf(topic.split('/'));
    const here = places.get(place) ?? new Map<string, Retained>();
    if (payload.length > 0) places.set(place, here.set(topic, { ...packet }));
    else if (here.delete(topic) && here.size === 0) places.delete(place);
    return Promise.resolve();
  };
  function* find(filters: readonly string[]): Generator<Retained> {
    for (const filter of filters) {
      const levels = filter.split('/');
      const place = placeOf(levels);
      for (const [, here] of place.includes('+') ? places : [[place, places.get(place)] as const])
        for (const [topic, packet] of here ?? []) if (matches(filter, topic)) yield packet;
    }
  }
  store.createRetainedStreamCombi = (filters) => Readable.from(find(filters));
}
