import { once } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { exampleProgramme } from '../../../../catalogue/lighting/plan/examples.ts';
import { noRole } from '../../../../catalogue/lighting/plan/programme.ts';
import { createReceiver, handOver, numbersOf, type Order, type Question } from './order.ts';

const count = 20_000;
const many = <Thing>(length: number, make: (index: number) => Thing): Thing[] =>
  Array.from({ length }, (_, index) => make(index));

/** A city with as many classes as lamps. */
const city = (): Order => ({
  input: {
    from: '2027-01-01',
    days: 366,
    tracks: many(90, (index) => ({
      label: `S-${index}`,
      programmes: [{ key: 1, name: '平日', programme: exampleProgramme(index) }],
      byDay: many(369, () => 0),
      excepted: [],
    })),
    places: many(3000, (index) => ({
      latitude: index / 100,
      longitude: 120,
      timeZone: 'Asia/Shanghai',
      sunOffsetMinutes: 0,
    })),
    loads: many(250, (index) => many(101, (level) => index * level)),
    plans: many(4000, (index) => ({ place: index % 3000, track: index % 90, role: noRole })),
    classes: many(count, (index) => ({ a: index % 4000, b: index % 3999, load: index % 250, road: null, lamps: 1 })),
  },
  lamps: {
    ids: Float64Array.from({ length: count }, (_, index) => index + 1),
    classOf: Uint32Array.from({ length: count }, (_, index) => index),
    rowOf: new Uint32Array(count),
    positionOf: new Uint32Array(count),
  },
  neighbours: {
    ids: Float64Array.of(count + 1),
    classOf: Uint32Array.of(7),
    rowOf: Uint32Array.of(1),
    positionOf: Uint32Array.of(3),
  },
  roadOf: Uint8Array.of(2),
  notes: [],
  cannot: [{ code: 'byTable', track: 3, lamps: Float64Array.of(4, 5) }],
});

it('an order of a city goes over in parts, with turns of others between them, and is whole on the other side', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  let turns = 0;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  onTestFinished(() => clearImmediate(next));
  const sentAt: number[] = [];
  const receiver = createReceiver();
  const received = new Promise<Order>((resolve) => {
    port2.on('message', ({ part, begin }: Question) => {
      if (part) receiver.take(part);
      if (part) expect(JSON.stringify(part).length).toBeLessThan(150_000);
      if (begin) resolve(receiver.whole(begin));
    });
  });
  const order = city();
  await handOver(
    {
      postMessage(question, transfer) {
        sentAt.push(turns);
        port1.postMessage(question, [...transfer]);
      },
    },
    order,
  );
  expect(await received).toEqual(city());
  // Each was sent in a turn of its own, and what changes hands was not copied.
  expect(sentAt.length).toBeGreaterThan(30);
  expect(new Set(sentAt).size).toBeGreaterThanOrEqual(sentAt.length - 1);
  expect(numbersOf(order).map(({ byteLength }) => byteLength)).toEqual(many(10, () => 0));
  port2.close();
  await once(port1, 'close');
});
