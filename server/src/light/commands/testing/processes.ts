import { RawNode, sql, type KyselyPlugin, type QueryId } from 'kysely';
import { afterEach, expect } from 'vitest';
import { commandOffice } from '../../../testing/command-office.ts';

interface Told {
  readonly process: string;
  readonly commandId: number;
  readonly command: string;
  readonly turn: number;
  readonly expiresAt: string;
  readonly deviceId: number;
}

/** Commands, and dispatchers as those of several processes. Call it at the top of a test file. */
export async function commandProcesses() {
  const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'), { steps: { first: 100, next: 20 } });
  const { db, call, clock, now, detail, ask, act, quietLamp, settings } = office;

  afterEach(async () => {
    await sql`UPDATE command_item SET state = 'cancelled', ended_at = now(), in_hand = false
    WHERE state IN ('waiting', 'queued', 'sent', 'acknowledged') OR in_hand`.execute(db);
    clock.set(new Date(now() + 60_000));
  });

  const told: Told[] = [];
  /** A process with a broker of its own, which may be slow. */
  function processNamed(name: string) {
    const asked = Promise.withResolvers<void>();
    const open = Promise.withResolvers<void>();
    let slow = false;
    const claims = new WeakSet<QueryId>();
    let looked = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        if (
          RawNode.is(node) &&
          node.sqlFragments.some((fragment) => fragment.includes('FOR UPDATE OF own SKIP LOCKED'))
        )
          claims.add(queryId);
        return node;
      },
      transformResult: ({ result, queryId }) => {
        if (claims.has(queryId)) looked += 1;
        return Promise.resolve(result);
      },
    };
    const dispatcher = office.anotherDispatcher(
      {
        problem: () => null,
        publish: async (topic, payload) => {
          const said = JSON.parse(payload.toString()) as {
            commandId: string;
            command: string;
            turn: number;
            expiresAt: string;
          };
          if (slow) {
            asked.resolve();
            await open.promise;
          }
          told.push({
            process: name,
            ...said,
            commandId: Number(said.commandId),
            deviceId: Number(/devices\/(?:\d+\/children\/)?(\d+)\/commands$/u.exec(topic)?.[1]),
          });
        },
      },
      { db: db.withPlugin(counting) },
    );
    /**
     * It has its first command in its hands, and has looked for what comes after that too: it takes nothing of what is
     * given now.
     */
    const busy = async () => {
      await asked.promise;
      await expect.poll(() => looked, { timeout: 10_000 }).toBe(2);
    };
    return {
      asked: asked.promise,
      busy,
      send: () => dispatcher.send(),
      endOverdue: () => dispatcher.endOverdue(),
      keepCounts: () => dispatcher.keepCounts(),
      go: () => open.resolve(),
      fail: () => open.reject(new Error('away')),
      get slow() {
        return slow;
      },
      set slow(value) {
        slow = value;
      },
    };
  }
  const since = async (work: () => Promise<unknown>) => {
    const from = told.length;
    await work();
    return told.slice(from);
  };
  const give = async (deviceIds: readonly number[], command: string, more: object = {}) =>
    (await ask({ deviceIds, command, ...more })).body.id;

  return { office, db, call, clock, now, detail, ask, act, quietLamp, settings, told, processNamed, since, give };
}
