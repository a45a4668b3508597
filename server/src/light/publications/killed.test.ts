import { RawNode, sql, type KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { noon, publishingOffice, wall } from './testing/office.ts';

const office = await publishingOffice();
const { db, app, clock, get, publish, turn } = office;
beforeEach(() => clock.set(new Date(noon)));

class Killed extends Error {}
/** A process that dies when it is about to do this. */
const dying = (statement: string) => {
  const dies: KyselyPlugin = {
    transformQuery({ node }) {
      if (RawNode.is(node) && node.sqlFragments.some((text) => text.includes(statement))) throw new Killed();
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  return office.process({ db: db.withPlugin(dies) });
};
const dies = async (statement: string) => expect(dying(statement).turn()).rejects.toThrow(Killed);
/** Everything that a half-done step could have left behind. */
async function rowsOf(lamps: readonly number[]) {
  const { rows } = await sql`SELECT
      (SELECT json_agg(json_build_array(p.id, p.phase, p.version) ORDER BY p.id) FROM publication p WHERE p.id IN
        (SELECT publication_id FROM publication_item WHERE device_id = ANY(${[...lamps]}::bigint[]))) AS publications,
      (SELECT json_agg(json_build_array(i.publication_id, i.device_id, i.state, i.open, i.proof)
        ORDER BY i.publication_id, i.device_id) FROM publication_item i
        WHERE i.device_id = ANY(${[...lamps]}::bigint[])) AS items,
      (SELECT json_agg(json_build_array(w.publication_id, w.device_id, w.look_at) ORDER BY w.publication_id, w.device_id)
        FROM publication_watch w WHERE w.device_id = ANY(${[...lamps]}::bigint[])) AS watched,
      (SELECT count(*)::int FROM plan_assignment WHERE device_id = ANY(${[...lamps]}::bigint[])) AS given`.execute(db);
  return rows[0];
}
/** A process dies there, nothing is changed, and another one goes on. */
async function survives(lamps: readonly number[], statement: string): Promise<void> {
  const before = await rowsOf(lamps);
  await dies(statement);
  expect(await rowsOf(lamps), statement).toEqual(before);
  office.restart();
  await turn();
}
const telling = "SET state = 'told'";
const moving = 'UPDATE publication SET phase';
const looking = 'SET proof = s.proof';
const watching = 'INSERT INTO publication_watch';
const watched = ' DELETE FROM publication_watch w USING ';

describe('a process that is killed', () => {
  it('while it tells the first part, judges it, tells the rest or looks for proofs leaves nothing half done', async () => {
    const lamps = await office.lamps(3);
    const { id } = (await publish(lamps, { canary: { count: 1 }, goOn: true })).body;
    const untouched = await rowsOf(lamps);
    await dies(telling);
    await dies(watching);
    expect(await rowsOf(lamps)).toEqual(untouched);
    await dies(moving);
    expect(await get(id)).toMatchObject({ phase: 'tellingCanary', states: { told: 1, waiting: 2 } });
    await survives(lamps, moving);
    expect(await get(id)).toMatchObject({ phase: 'judging', states: { told: 1, waiting: 2 } });
    const canary = (await get(id)).items.find((item) => item.canary);
    await office.say(canary?.deviceId ?? 0, canary?.planHash ?? null);
    await office.read(canary?.deviceId ?? 0, wall('2026-11-23T17:05'), 100);
    clock.set(new Date(wall('2026-11-23T22:50')));
    await turn();
    expect((await get(id)).states).toEqual({ reported: 1, waiting: 2 });
    await office.read(canary?.deviceId ?? 0, wall('2026-11-23T23:05'), 60);
    clock.set(new Date(wall('2026-11-23T23:10')));
    const unseen = await rowsOf(lamps);
    await dies(looking);
    await dies(watched);
    expect(await rowsOf(lamps)).toEqual(unseen);
    // The proof is written; the phase is not, when it dies between the two.
    await dies(moving);
    expect(await get(id)).toMatchObject({ phase: 'judging', states: { proven: 1, waiting: 2 }, judged: null });
    await survives(lamps, moving);
    expect(await get(id)).toMatchObject({ phase: 'tellingAll', states: { proven: 1, pending: 2 } });
    await survives(lamps, telling);
    expect(await get(id)).toMatchObject({ phase: 'proving', states: { proven: 1, told: 2 } });
    for (const { deviceId } of (await get(id)).items) await office.read(deviceId, wall('2026-11-24T23:05'), 60);
    clock.set(new Date(wall('2026-11-24T23:10')));
    await survives(lamps, looking);
    expect(await get(id)).toMatchObject({ phase: 'done', states: { proven: 3 } });
    const { rows } = await sql`SELECT count(*)::int AS given FROM plan_assignment
      WHERE publication_id = ${id}`.execute(db);
    expect(rows).toEqual([{ given: 3 }]);
  });

  it('while it takes back the first part, or tells the return, publishes no half of it', async () => {
    const lamps = await office.lamps(3);
    const { id } = (await publish(lamps, { canary: { count: 2 } })).body;
    await turn();
    for (const { deviceId, toldAt } of (await get(id)).items)
      if (toldAt !== null) await office.read(deviceId, wall('2026-11-23T23:05'), 100);
    clock.set(new Date(wall('2026-11-24T00:30')));
    // They were seen to do otherwise; the return is not made, not even its halt.
    await dies('INSERT INTO publication_item');
    expect(await get(id)).toMatchObject({ phase: 'judging', judged: null, halted: null, revertedBy: null });
    await survives(lamps, 'INSERT INTO publication_item');
    const { revertedBy, states } = await get(id);
    expect([states, (await get(revertedBy ?? 0)).states]).toEqual([{ superseded: 3 }, { pending: 2 }]);
    await survives(lamps, telling);
    expect(await get(revertedBy ?? 0)).toMatchObject({ phase: 'proving', states: { told: 2 } });
    expect((await get(id)).phase).toBe('reverted');
  });

  it('after the rows and before the message is not the last to tell: the next one does', async () => {
    const lamps = await office.lamps(2);
    const { id } = (await publish(lamps)).body;
    const mute = { ...app.bus, publish: () => undefined, subscribe: app.bus.subscribe };
    await office.process({ bus: mute }).turn();
    expect((await get(id)).states).toEqual({ told: 2 });
    const announced: number[] = [];
    const stop = app.bus.subscribe('plans.assigned', ({ ids }) => announced.push(...ids));
    office.restart();
    await turn();
    expect(announced).toEqual(expect.arrayContaining(lamps));
    stop();
  });
});

describe('one publication that fails', () => {
  it('stops no other one', async () => {
    const [bad = 0, good = 0] = await office.lamps(2);
    const [first, second] = [(await publish([bad])).body.id, (await publish([good])).body.id];
    await sql`CREATE FUNCTION fails() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.state = 'told' AND NEW.device_id = TG_ARGV[0]::bigint THEN RAISE EXCEPTION 'it fails'; END IF;
      RETURN NEW; END $$`.execute(db);
    await sql`CREATE TRIGGER fails BEFORE UPDATE ON publication_item FOR EACH ROW
      EXECUTE FUNCTION fails(${sql.lit(String(bad))})`.execute(db);
    await expect(turn()).rejects.toThrow('it fails');
    expect([await get(first), await get(second)]).toMatchObject([
      { phase: 'tellingAll', states: { pending: 1 } },
      { phase: 'proving', states: { told: 1 } },
    ]);
    await sql`DROP TRIGGER fails ON publication_item`.execute(db);
    await turn();
    expect(await get(first)).toMatchObject({ phase: 'proving', states: { told: 1 } });
  });
});
