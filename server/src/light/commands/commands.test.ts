import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { encode, timeText } from '../../../../protocols/mqtt-json/codec.ts';
import { topicOf } from '../../../../protocols/mqtt-json/topics.ts';
import { commandOffice } from '../../testing/command-office.ts';
import { connectDevice, givenCredentials, givenDevice, listen } from '../../testing/devices.ts';

// 2026-11-21 20:00 in Hangzhou: the lamps burn since 16:59, the sun rises at 06:29.
const start = Date.parse('2026-11-21T12:00:00Z');
const office = await commandOffice(start, { steps: { first: 500, next: 100 } });
const { db, call, clock, now, detail, stateOf, ask, act, logLines, lamp, quietLamp, dispatcher, ingest, broker } =
  office;

describe('the life of a command', () => {
  it('goes queued, sent, acknowledged, confirmed, each for a reason', async () => {
    const one = await lamp();
    const { status, body } = await ask({
      deviceIds: [one.id],
      command: 'dim',
      args: { level: 60 },
      reason: '夜间节能',
    });
    expect([status, body.total]).toEqual([201, 1]);
    expect(await stateOf(body.id)).toEqual(['queued']);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['sent']);
    const { message } = await one.heard.take();
    expect(message).toEqual({
      commandId: String(body.id),
      command: 'dim',
      args: { level: 60 },
      issuedAt: timeText(now()),
      expiresAt: timeText(now() + 30_000),
      until: expect.stringMatching(/^2026-11-21T22:\d\d/),
      turn: expect.any(Number),
    });
    await clock.advance(1000);
    await one.accept(body.id);
    expect(await stateOf(body.id)).toEqual(['acknowledged']);
    await one.report(60, true, now() - 500);
    expect(await stateOf(body.id), 'a reading from before the execution proves nothing').toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(66, true);
    expect(await stateOf(body.id), 'six points off').toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(64, true);
    expect(await detail(body.id)).toMatchObject({
      finished: true,
      states: { confirmed: 1 },
      items: [{ state: 'confirmed', proof: { level: 64, relay: true, power: 64 } }],
    });
  });

  it('to a lamp that is disabled is refused with the reason; beside others it fails alone and nothing is sent to it', async () => {
    const [one, out] = [await lamp(), await lamp()];
    await db.updateTable('device').set({ enabled: false }).where('id', '=', out.id).execute();
    const refused = await ask({ deviceIds: [out.id], command: 'on' });
    expect([refused.status, refused.body.code]).toEqual([400, 4009]);
    const { body } = await ask({ deviceIds: [one.id, out.id], command: 'on' });
    expect(body.total).toBe(2);
    await dispatcher.send();
    await one.heard.take();
    expect((await detail(body.id)).items).toMatchObject([
      { deviceId: out.id, state: 'failed', error: 'disabled', sentAt: null, until: null },
      { deviceId: one.id, state: 'sent' },
    ]);
    // Once it is in use again, what failed can be asked for again.
    await db.updateTable('device').set({ enabled: true }).where('id', '=', out.id).execute();
    expect((await call<{ total: number }>(`/api/v1/commands/${body.id}/retry`, { method: 'POST' })).body.total).toBe(1);
  });

  it('is confirmed when the reading overtook the acknowledgement', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'off' });
    await dispatcher.send();
    const executedAt = now() + 100;
    await clock.advance(200);
    await one.report(0, false);
    expect(await stateOf(body.id)).toEqual(['sent']);
    await one.accept(body.id, executedAt);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it.each([
    ['1970', 0],
    ['next year', 365 * 86_400_000 + start],
  ])('is not confirmed by what was before it when the device’s clock says %s', async (_when, executedAt) => {
    const one = await lamp();
    await one.report(100, true);
    await clock.advance(60_000);
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    await dispatcher.send();
    await one.accept(body.id, executedAt);
    expect(await stateOf(body.id)).toEqual(['acknowledged']);
    await clock.advance(1000);
    await one.report(100, true);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it('of a lamp that does not answer times out, and is never done', async () => {
    const silent = await givenDevice(db);
    const { body } = await ask({ deviceIds: [silent], command: 'on' });
    await dispatcher.send();
    await clock.advance(29_000);
    await dispatcher.endOverdue();
    expect(await stateOf(body.id)).toEqual(['sent']);
    await clock.advance(1000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({ finished: true, items: [{ state: 'timedOut', error: 'noAnswer' }] });
  });

  it('of a stuck relay is acknowledged and never confirmed; what was seen stands beside it', async () => {
    const stuck = await lamp();
    const { body } = await ask({ deviceIds: [stuck.id], command: 'off' });
    await dispatcher.send();
    await stuck.accept(body.id);
    await clock.advance(1000);
    await stuck.report(100, true);
    await clock.advance(120_000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({
      items: [{ state: 'timedOut', error: 'notConfirmed', proof: { level: 100, relay: true } }],
    });
  });

  it('fails in the device’s own words, or expires when it came too late', async () => {
    const [one, two] = [await lamp(), await lamp()];
    const { body } = await ask({ deviceIds: [one.id, two.id], command: 'on' });
    await dispatcher.send();
    await one.refuse(body.id, 'driver fault');
    await two.refuse(body.id, 'expired');
    const { items } = await detail(body.id);
    expect(items.map((item) => [item.state, item.error]).toSorted()).toEqual([
      ['expired', 'expired'],
      ['failed', 'driver fault'],
    ]);
  });

  it('is superseded by a newer one for the same lamp; a question supersedes nothing', async () => {
    const one = await lamp();
    const first = (await ask({ deviceIds: [one.id], command: 'on' })).body.id;
    const question = (await ask({ deviceIds: [one.id], command: 'read' })).body.id;
    const second = (await ask({ deviceIds: [one.id], command: 'off' })).body.id;
    expect([await stateOf(first), await stateOf(question), await stateOf(second)]).toEqual([
      ['superseded'],
      ['queued'],
      ['queued'],
    ]);
    await dispatcher.send();
    await one.accept(question);
    await one.accept(second);
    await clock.advance(500);
    await one.report(0, false);
    expect([await stateOf(first), await stateOf(question), await stateOf(second)]).toEqual([
      ['superseded'],
      ['confirmed'],
      ['confirmed'],
    ]);
  });

  it('keeps the verdict when the answer comes too late', async () => {
    const late = await lamp();
    const { body } = await ask({ deviceIds: [late.id], command: 'on' });
    await dispatcher.send();
    await clock.advance(31_000);
    await dispatcher.endOverdue();
    await late.accept(body.id);
    await late.report(100, true);
    expect(await detail(body.id)).toMatchObject({ items: [{ state: 'timedOut', acknowledgedAt: expect.any(String) }] });
  });

  it('waits in the table while nobody sends, is sent after a restart, and expires when that took too long', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    // A process claimed it and died: after its lease another one sends it.
    await sql`UPDATE command_item SET claimed_at = ${clock.now()} WHERE command_id = ${body.id}`.execute(db);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['queued']);
    await clock.advance(11_000);
    await dispatcher.send();
    expect(await stateOf(body.id)).toEqual(['sent']);
    const unsent = (await ask({ deviceIds: [one.id], command: 'off' })).body.id;
    await clock.advance(120_000);
    await dispatcher.send();
    await dispatcher.endOverdue();
    expect(await detail(unsent)).toMatchObject({ items: [{ state: 'expired', error: 'notSent' }] });
  });

  it('is not called unsent when whoever sent it died before that was written, and nobody was there until it was over', async () => {
    const one = await lamp();
    const { body } = await ask({ deviceIds: [one.id], command: 'on' });
    await sql`UPDATE command_item SET claimed_at = ${clock.now()} WHERE command_id = ${body.id}`.execute(db);
    await clock.advance(120_000);
    await dispatcher.endOverdue();
    expect(await detail(body.id)).toMatchObject({ items: [{ state: 'timedOut', error: 'noAnswer' }] });
  });

  it('reaches a lamp behind its controller, and is proved through it', async () => {
    const controller = await givenDevice(db, { family: 'central-controller' });
    const child = await givenDevice(db, { parentId: controller });
    const client = await connectDevice(
      `mqtt://127.0.0.1:${broker.port}`,
      controller,
      await givenCredentials(db, controller),
    );
    const heard = listen(client);
    await client.subscribeAsync('lampyris/v1/devices/' + controller + '/children/+/commands', { qos: 1 });
    const { body } = await ask({ scope: { controllerId: controller }, command: 'off' });
    await dispatcher.send();
    expect((await heard.take()).topic).toBe(topicOf({ kind: 'commands', deviceId: child, viaId: controller }));
    await client.publishAsync(
      topicOf({ kind: 'acks', deviceId: child, viaId: controller }),
      encode({ commandId: String(body.id), accepted: true, executedAt: timeText(now()) }),
      { qos: 1 },
    );
    await client.publishAsync(
      topicOf({ kind: 'readings', deviceId: child, viaId: controller }),
      encode({
        sentAt: timeText(now()),
        readings: [{ at: timeText(now()), values: { level: 0, relay: false, power: 0 } }],
      }),
      { qos: 1 },
    );
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });

  it('is proved by the corrected time of a device whose clock is wrong', async () => {
    const one = await lamp();
    const behind = (at: number) => timeText(at - 300_000);
    const report = (level: number) =>
      ingest.take({
        topic: topicOf({ kind: 'readings', deviceId: one.id, viaId: null }),
        username: null,
        payload: encode({
          sentAt: behind(now()),
          readings: [{ at: behind(now()), values: { level, relay: true, power: level } }],
        }),
      });
    await report(100);
    const { body } = await ask({ deviceIds: [one.id], command: 'dim', args: { level: 30 } });
    await dispatcher.send();
    const { message } = await one.heard.take();
    expect(message['issuedAt']).toBe(behind(now()));
    await one.accept(body.id, now() - 300_000);
    await clock.advance(1000);
    await report(30);
    expect(await stateOf(body.id)).toEqual(['confirmed']);
  });
});

describe('the log', () => {
  it('tells a command by its ids: when it is asked for, repeated, refused, handed to nobody, and over', async () => {
    const one = await quietLamp();
    await dispatcher.send();
    await dispatcher.keepCounts();
    const begin = logLines().length;
    const first = (await ask({ deviceIds: [one.id], command: 'on' })).body.id;
    const away = office.anotherDispatcher({
      problem: () => null,
      publish: () => Promise.reject(new Error('the broker is away')),
    });
    await away.send();
    await dispatcher.send();
    await one.refuse(first, 'lampOpen');
    const again = (await act<{ id: number }>(first, 'retry', { states: ['failed'] })).body.id;
    await act(999_999, 'cancel', { reason: 'x' });
    await dispatcher.keepCounts();
    await dispatcher.keepCounts();
    const lines = logLines().slice(begin);
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toMatchObject([
      {
        level: 'info',
        method: 'POST',
        path: '/api/v1/commands',
        status: 201,
        accountId: 1,
        action: 'command.create',
        commandId: first,
      },
      { path: `/api/v1/commands/${first}/retry`, status: 201, commandId: again, fromId: first },
      { path: '/api/v1/commands/999999/cancel', status: 404, refused: 'notFound', commandId: 999_999 },
    ]);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(3);
    const warnings = lines.filter(({ level }) => level === 'warn');
    expect(warnings[0]).toMatchObject({
      msg: 'commands could not be handed to the broker; trying on',
      reason: 'the broker is away',
      count: 1,
      commandIds: [first],
      deviceIds: [one.id],
    });
    expect(lines.filter(({ msg, commandId }) => msg === 'a command has ended' && commandId === first)).toMatchObject([
      { level: 'info', command: 'on', states: { failed: 1 } },
    ]);
    // Nothing of a single message: a large command has many.
    expect(
      lines.filter(({ level, msg }) => level !== 'warn' && msg !== 'request' && msg !== 'a command has ended'),
    ).toEqual([]);
  });
});
