import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RouteShape } from '../../contract/route.ts';
import type { Measure } from '../measure.ts';

interface Server {
  readonly address: string;
  readonly token: string;
  readonly routes: readonly RouteShape[];
}
interface Cost {
  readonly blockMs: number;
  readonly processorMs: number;
}
interface Hostile {
  readonly what: string;
  readonly type: string;
  readonly body: string;
}

const repeats = 3;
/** What a request costs that is refused at once is too little to be measured alone. */
const atOnce = 5;
const looksAgain = 4;
const mostTimes = 3;
const longestBlockMs = 50;
const nowhere = '/api/v1/no-such-call';
const mebibyte = 1024 * 1024;
const many = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(',');
const json = (what: string, body: string): Hostile => ({ what, type: 'application/json', body });

/** The longest list that a body has, by its name; null: the body is one. */
function listIn({ body }: RouteShape): string | null | undefined {
  const schema = body as
    | {
        type?: string;
        properties?: Record<
          string,
          { type?: string; maxItems?: number; anyOf?: { type?: string; maxItems?: number }[] }
        >;
      }
    | undefined;
  if (schema?.type === 'array') return null;
  const lists = Object.entries(schema?.properties ?? {}).flatMap(([name, field]) =>
    [field, ...(field.anyOf ?? [])]
      .filter(({ type }) => type === 'array')
      .map(({ maxItems = 0 }) => ({ name, maxItems })),
  );
  return lists.toSorted((a, b) => b.maxItems - a.maxItems)[0]?.name;
}

/**
 * What costs most of what a route takes: as many fields, as long a list, as long a text as it lets in, and far more.
 */
function bodiesOf(route: RouteShape): Hostile[] {
  const { bytes, entries } = route.limits;
  if (route.encoding === 'bytes')
    return (route.takes ?? ['application/octet-stream']).map((type) => ({
      what: 'a file of signs',
      type,
      body: '[{"a,;\t1'.repeat(Math.min(bytes, 4 * mebibyte) / 8),
    }));
  if (route.encoding === 'form')
    return [4, 40_000].map((count) => ({
      what: `${count} fields`,
      type: 'application/x-www-form-urlencoded',
      body: Array.from({ length: count }, (_, index) => `menus=${index}&k${index}=1`).join('&'),
    }));
  const inList = listIn(route);
  const asList = (items: string) => (inList === null ? `[${items}]` : `{"${inList ?? 'x'}":[${items}]}`);
  const fitting = (size: number) => Math.max(1, Math.min(entries - 3, Math.floor((bytes - 100) / size)));
  return [
    json('200,000 fields', `{${many(200_000, (index) => `"k${index}":1`)}}`),
    json('all the fields it takes, of different names', `{${many(fitting(11), (index) => `"k${index}":1`)}}`),
    // Rows of ten fields: no more names than are let in, and as many shapes of rows as they make.
    json(
      'all the fields it takes, in rows',
      asList(
        many(
          Math.max(1, Math.floor(fitting(10) / 11)),
          (row) => `{${many(10, (index) => `"k${(row * 10 + index) % 1900}":1`)}}`,
        ),
      ),
    ),
    json('all the list entries it takes, wrong', asList(many(fitting(3), () => '{}'))),
    json('all the list entries it takes, right', asList(many(fitting(8), (index) => String(1_000_000 + index)))),
    json('100,000 ids', asList(many(100_000, (index) => String(1_000_000 + index)))),
    json('as long a text', `{"username":"${'\\"'.repeat(Math.floor((bytes - 100) / 2))}"}`),
    json('nested', `{"x":${'['.repeat(Math.min(bytes - 100, 100_000))}`),
  ];
}

/** The longest block of the event loop that a hostile body of its kind causes, route by route. */
export const hostile: Measure = {
  key: 'hostile',
  async run() {
    const child = fork(join(import.meta.dirname, '../../server/src/testing/scripts/hostile-server.ts'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      const server = await told<Server>(child);
      const routes = server.routes.filter(({ method, path }) => method !== 'GET' && path !== '/api/system/logout');
      const found: { name: string; cost: Cost; unknown: Cost }[] = [];
      const byStrangers: { name: string; times: number }[] = [];
      const toNobody = new Map<string, Cost>();
      for (const route of routes) {
        const path = route.path.replaceAll(/:\w+/g, '1');
        for (const body of bodiesOf(route)) {
          const name = `${route.method} ${route.path}, ${body.what} (${Math.ceil(body.body.length / 1024)} KiB)`;
          const asStranger = { ...server, token: null };
          const key = `${route.method} ${body.type} ${body.body.length}`;
          const ofStranger = () => costOf(child, asStranger, route.method, path, body, atOnce);
          const ofNobody = () => costOf(child, asStranger, route.method, nowhere, body, atOnce);
          const ofCaller = () => costOf(child, server, route.method, path, body, 1);
          let unknown = toNobody.get(key) ?? (await ofNobody());
          let stranger = await ofStranger();
          let cost = await ofCaller();
          // What the process does by the clock falls into some of them: what looks dear is looked at again.
          for (let turn = 0; turn < looksAgain && stranger.processorMs > unknown.processorMs * mostTimes; turn += 1) {
            stranger = least(stranger, await ofStranger());
            unknown = least(unknown, await ofNobody());
          }
          for (let turn = 0; turn < looksAgain && cost.blockMs > longestBlockMs; turn += 1)
            cost = least(cost, await ofCaller());
          toNobody.set(key, unknown);
          byStrangers.push({ name, times: stranger.processorMs / unknown.processorMs });
          found.push({ name, cost, unknown });
        }
      }
      const dearest = byStrangers.toSorted((a, b) => b.times - a.times);
      const worst = found.toSorted((a, b) => b.cost.blockMs - a.cost.blockMs);
      const [first] = worst;
      if (!first) throw new Error('no route was asked');
      const list = worst
        .slice(0, 8)
        .map(
          ({ name, cost, unknown }) =>
            `${name}: ${cost.blockMs.toFixed(1)} ms, processor ${cost.processorMs.toFixed(1)} against ${unknown.processorMs.toFixed(1)} ms`,
        )
        .join('; ');
      const idle = Math.max(...found.map(({ unknown }) => unknown.blockMs));
      return [
        {
          name: 'What a hostile body of somebody unknown costs, against the same bytes to an unknown path, any route',
          value: dearest[0]?.times ?? 0,
          unit: 'times',
          reach: mostTimes,
          samples: dearest.map(({ times }) => times),
          note: `processor of the server, ${atOnce} one after the other, least of ${repeats}; the dearest: ${dearest
            .slice(0, 8)
            .map(({ name, times }) => `${name}: ${times.toFixed(1)}`)
            .join('; ')}`,
        },
        {
          name: 'Longest block of the event loop by a hostile body, any route',
          value: first.cost.blockMs,
          unit: 'ms',
          reach: longestBlockMs,
          samples: worst.map(({ cost }) => cost.blockMs),
          note: `${found.length} bodies, least of ${repeats}; the same bytes to an unknown path at most ${idle.toFixed(1)} ms; the worst: ${list}`,
        },
      ];
    } finally {
      child.send('stop');
      await once(child, 'exit');
    }
  },
};

async function told<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T];
  return message;
}

const least = (a: Cost, b: Cost): Cost => ({
  blockMs: Math.min(a.blockMs, b.blockMs),
  processorMs: Math.min(a.processorMs, b.processorMs),
});

/** The least of some tries: what else the machine does makes some of them longer. */
async function costOf(
  child: ChildProcess,
  { address, token }: { readonly address: string; readonly token: string | null },
  method: string,
  path: string,
  { type, body }: Hostile,
  times: number,
): Promise<Cost> {
  const costs: Cost[] = [];
  for (let turn = 0; turn < repeats; turn += 1) {
    child.send('begin');
    await told(child);
    for (let time = 0; time < times; time += 1) {
      await fetch(`${address}${path}`, {
        method,
        headers: { ...(token === null ? {} : { authorization: token }), 'content-type': type },
        body,
      }).then(
        (reply) => reply.arrayBuffer(),
        () => undefined,
      );
    }
    child.send('end');
    costs.push(await told<Cost>(child));
  }
  return {
    blockMs: Math.min(...costs.map(({ blockMs }) => blockMs)),
    processorMs: Math.min(...costs.map(({ processorMs }) => processorMs)),
  };
}
