import type { Things } from './things.ts';

/** One call as it is sent: what fills its path, its query and its body. */
export interface Ask {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A file, as application/octet-stream. */
  readonly file?: string;
}

export interface Sender {
  readonly username: string;
  readonly accountId: number;
  /** The sender's own password, as it travels. */
  readonly password: string;
}

export type Asks = Readonly<Record<string, (things: Things, sender: Sender) => Ask | Promise<Ask>>>;
/** Asked by the id of a thing alone. */
export const byId =
  (thing: (things: Things) => Promise<number>, more: Omit<Ask, 'path'> = {}) =>
  async (things: Things): Promise<Ask> => ({ path: { id: await thing(things) }, ...more });
