import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { mosquittoIsThere } from '../../../../e2e/fixtures/mosquitto.ts';
import { embedded, ofTheSite, onLine, siteOf, type Line } from './testing/line.ts';
import { minuteMs, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, clock, get, publish, turn } = office;
const soon = { timeout: 10_000 };
const later = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * minuteMs));

describe('a device that reports other settings than it was told, over the embedded broker', () => {
  isToldAgain(embedded);
});
describe.skipIf(!mosquittoIsThere)('a device that reports other settings than it was told, over Mosquitto', () => {
  isToldAgain(ofTheSite);
});

function isToldAgain(start: (of: typeof office) => Promise<Line>): void {
  const line = onLine(office, start);

  it(
    'is told again, once in ten minutes and then less often, by the next process too',
    { timeout: 40_000 },
    async () => {
      const [id = 0] = await office.lamps(1);
      const player = await line.play(id, 'plan');
      const hashOfLamp = () => player.lamp.settings.plan?.hash ?? null;
      const versionSaid = async () =>
        (await sql<{ v: number }>`SELECT settings_version AS v FROM device_latest WHERE device_id = ${id}`.execute(db))
          .rows[0]?.v;
      const { body } = await publish([id]);
      await turn();
      const { planHash } = (await get(body.id)).items[0] ?? expect.fail('an item');
      await expect.poll(hashOfLamp, soon).toBe(planHash);
      await expect.poll(versionSaid, soon).toBe(player.lamp.settings.version);
      const before = line.counts.retold;

      // It lost its memory, just after it was told.
      await player.forget();
      await expect.poll(versionSaid, soon).toBe(0);
      await clock.advance(5 * minuteMs);
      expect([hashOfLamp(), line.counts.retold - before]).toEqual([null, 0]);
      await clock.advance(6 * minuteMs);
      await expect.poll(hashOfLamp, soon).toBe(planHash);
      await expect.poll(versionSaid, soon).toBe(player.lamp.settings.version);
      expect(line.counts.retold - before).toBe(1);

      // It has what it was told and runs another plan: long after that it is told at once.
      await clock.advance(30 * minuteMs);
      expect(line.counts.retold - before).toBe(1);
      await player.announce({ planHash: '000000000000' });
      await expect.poll(() => line.counts.retold - before, soon).toBe(2);
      await player.announce();

      // The next process tells all when it begins, and knows from then on what it told.
      line.begin();
      const { rows } = await sql`SELECT FROM device_credential`.execute(db);
      await expect.poll(() => line.counts.published, soon).toBe(rows.length);
      later(11);
      await player.forget();
      await expect.poll(hashOfLamp, soon).toBe(planHash);
      expect(line.counts.retold).toBe(1);
    },
  );
}

describe('a device that leaves large messages without a word', () => {
  const line = onLine(office, embedded);
  const itemOf = async (publication: number) => (await get(publication)).items[0] ?? expect.fail('an item');
  /** A lamp that took over what every device is told, and then is published to. */
  async function told(most: () => number, before = () => undefined) {
    const [id = 0] = await office.lamps(1);
    const player = await line.play(id, 'plan', undefined, most);
    // Its job began in another evening: the next sweep would come then.
    line.begin();
    await expect.poll(() => player.lamp.settings.version, soon).toBeGreaterThan(0);
    await expect.poll(player.isHeard, soon).toBe(true);
    before();
    const { body } = await publish([id]);
    await turn();
    return { id, player, publication: body.id };
  }
  /** Ten minutes and what comes after them, with a word of the device before. */
  async function tellings(player: Awaited<ReturnType<typeof told>>['player'], minutes: readonly number[]) {
    for (const some of minutes) {
      await player.announce();
      await expect.poll(player.isHeardNow, soon).toBe(true);
      await clock.advance(some * minuteMs);
    }
  }

  it(
    'is told the table alone after two tellings, and known for it, by the next process too',
    { timeout: 60_000 },
    async () => {
      const { id, player, publication } = await told(() => 1024);
      await expect.poll(() => player.dropped.length, soon).toBe(1);
      await tellings(player, [11]);
      await expect.poll(() => player.dropped.length, soon).toBe(2);
      expect(player.lamp.settings.table).toHaveLength(2);
      await tellings(player, [21]);
      await expect.poll(() => player.lamp.settings.table.length, soon).toBe(3);
      // It may have heard nothing before: it is told the plan once more, and leaves it.
      await expect.poll(() => player.dropped.length, soon).toBe(3);
      await expect.poll(player.isHeard, soon).toBe(true);
      expect(await itemOf(publication)).toMatchObject({ reason: null, planHash: expect.any(String) });
      later(1);
      await tellings(player, [11]);
      await expect.poll(() => itemOf(publication), soon).toMatchObject({ reason: 'messageSize', planHash: null });
      line.begin();
      await expect.poll(() => line.counts.published, soon).toBeGreaterThan(0);
      await clock.advance(30 * minuteMs);
      expect(player.dropped).toHaveLength(3);
      await office.read(id, wall('2026-11-23T23:10'), 60);
      clock.set(new Date(wall('2026-11-23T23:12')));
      await turn();
      expect(await itemOf(publication)).toMatchObject({ state: 'proven', reason: 'messageSize' });
      // What it was told before was not smaller for what it is told now.
      const { body } = await publish([id], { acceptedFindings: ['darker', 'unknownHolidays', 'byTable'] });
      await turn();
      expect(await itemOf(body.id)).toMatchObject({ state: 'told', reason: 'messageSize', planHash: null });
      expect(await itemOf(publication)).toMatchObject({ state: 'proven', reason: null });
    },
  );

  it(
    'is told its plan again when it takes over the table, as it may have heard nothing before',
    { timeout: 60_000 },
    async () => {
      let most = Number.POSITIVE_INFINITY;
      const { player, publication } = await told(
        () => most,
        () => {
          most = 0;
        },
      );
      await expect.poll(() => player.dropped.length, soon).toBe(1);
      await tellings(player, [11]);
      await expect.poll(() => player.dropped.length, soon).toBe(2);
      most = Number.POSITIVE_INFINITY;
      await tellings(player, [21]);
      const { planHash } = await itemOf(publication);
      expect(planHash).toEqual(expect.any(String));
      await expect.poll(() => player.lamp.settings.plan?.hash, soon).toBe(planHash);
      await tellings(player, [11, 41]);
      await turn();
      expect(await itemOf(publication)).toMatchObject({ state: 'reported', reason: null, planHash });
    },
  );

  it(
    'is told the plan again when it takes over no table either; who says nothing is told once',
    { timeout: 60_000 },
    async () => {
      let most = Number.POSITIVE_INFINITY;
      const { player, publication } = await told(
        () => most,
        () => {
          most = 0;
        },
      );
      await clock.advance(21 * minuteMs);
      await expect.poll(() => player.dropped.length, soon).toBe(1);
      await tellings(player, [1, 21, 21, 41]);
      await expect.poll(() => player.dropped.length, soon).toBe(4);
      const [first = 0, again, small = 0, last] = player.dropped;
      expect([again, last]).toEqual([first, first]);
      expect(small).toBeLessThan(1024);
      await turn();
      expect(await itemOf(publication)).toMatchObject({ state: 'told', reason: null, planHash: expect.any(String) });
    },
  );
});

describe.skipIf(!mosquittoIsThere)('a Mosquitto that keeps no messages', () => {
  const line = onLine(office, siteOf('retain_available false'));

  it('is used all the same: a lamp that was away gets its plan when it comes', { timeout: 30_000 }, async () => {
    const [there = 0, away = 0] = await office.lamps(2);
    const first = await line.play(there, 'plan');
    const { body } = await publish([there, away]);
    await turn();
    expect(line.broker.limits().keeps).toBe(false);
    const { planHash } = (await get(body.id)).items[0] ?? expect.fail('an item');
    await expect.poll(() => first.lamp.settings.plan?.hash, soon).toBe(planHash);
    later(2);
    const second = await line.play(away, 'plan');
    await expect.poll(() => second.lamp.settings.plan?.hash, soon).toBe(planHash);
    await expect
      .poll(async () => {
        later(1);
        await turn();
        return (await get(body.id)).states;
      }, soon)
      .toEqual({ reported: 2 });
    expect(line.broker.problem()).toBeNull();
  });
});

describe.skipIf(!mosquittoIsThere)('a Mosquitto that takes small packets', () => {
  const line = onLine(office, siteOf('max_packet_size 1500'));

  it('gets the table of each night instead of a plan that does not fit, and goes on', { timeout: 30_000 }, async () => {
    const [id = 0] = await office.lamps(1);
    const player = await line.play(id, 'plan');
    const unread = await publish([id]);
    expect(unread.body.findings).toContainEqual(
      expect.objectContaining({ code: 'byTable', severity: 'warning', params: { lamps: 1 } }),
    );
    const { body } = await publish([id], { acceptedFindings: ['darker', 'unknownHolidays', 'byTable'] });
    await turn();
    await expect.poll(() => player.lamp.settings.table.length, soon).toBe(3);
    expect([player.lamp.settings.plan, player.lamp.settings.table[1]?.level]).toEqual([undefined, 60]);
    expect((await get(body.id)).items[0]).toMatchObject({ state: 'told', planHash: null });
    // Too large for it: said, and not sent. The connection stays.
    await expect(line.broker.publish('lampyris/v1/d/1/settings', 'x'.repeat(1500))).rejects.toThrow('1500 bytes');
    await line.broker.publish('lampyris/v1/d/1/settings', 'x');
    expect(line.broker.problem()).toBeNull();
    await office.read(id, wall('2026-11-23T23:10'), 60);
    clock.set(new Date(wall('2026-11-23T23:12')));
    await turn();
    expect(await office.stateOf(body.id, id)).toBe('proven');
  });
});
