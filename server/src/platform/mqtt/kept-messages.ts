import type { Aedes } from 'aedes';

/** A message that Aedes keeps for a client that is away; its id is given when it is sent. */
interface Kept {
  messageId?: number;
  readonly messageExpiry?: number;
  readonly topic: string;
  readonly retain: boolean;
}
/** What of Aedes' store of such messages is used here; Aedes itself declares it as anything. */
interface Store {
  outgoingEnqueueCombi(subscriptions: readonly { readonly clientId: string }[], packet: Kept): Promise<void>;
  outgoingStream(client: { readonly id: string }): AsyncIterable<Kept>;
  outgoingClearMessageId(client: { readonly id: string }, packet: Kept): Promise<unknown>;
}

/** No message is sent with it. */
const nobodysId = -1;

/** The message has expired; Aedes stores the time with the packet. */
export const isExpired = (packet: object): boolean =>
  'messageExpiry' in packet && Number(packet.messageExpiry) <= Date.now();

/**
 * Drops expired messages of an absent client when a new one is kept for it: otherwise messages to a device that never
 * comes back would fill the memory. Of retained messages only the newest of a topic counts. A message that is still
 * valid hides nothing behind it: settings never expire.
 */
export function letGoExpired(aedes: Aedes): void {
  const store = Reflect.get(aedes, 'persistence') as Store;
  const here = Reflect.get(aedes, 'clients') as Readonly<Record<string, unknown>>;
  const keep = store.outgoingEnqueueCombi.bind(store);
  store.outgoingEnqueueCombi = async (subscriptions, packet) => {
    const isReplaced = (kept: Kept) => packet.retain && kept.retain && kept.topic === packet.topic;
    for (const { clientId: id } of subscriptions) if (!here[id]) await letGo(store, here, { id }, isReplaced);
    return keep(subscriptions, packet);
  };
}

async function letGo(
  store: Store,
  here: Readonly<Record<string, unknown>>,
  client: { readonly id: string },
  isReplaced: (kept: Kept) => boolean,
): Promise<void> {
  for await (const kept of store.outgoingStream(client)) {
    // Who is back by now is sent what is kept by Aedes, which looks at it itself.
    if (here[client.id]) return;
    if (!isExpired(kept) && !isReplaced(kept)) continue;
    // Aedes takes away the first one with this id, at once; that is none but this one, also while others let go of the
    // same beside us.
    kept.messageId = nobodysId;
    await store.outgoingClearMessageId(client, kept);
  }
}
