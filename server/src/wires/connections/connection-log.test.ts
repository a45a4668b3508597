import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import type { ReplyOf } from '../../../../contract/route.ts';
import type {
  getConnectionDrops,
  getConnectionFigures,
  getDeviceAvailability,
} from '../../../../contract/wires/connections.ts';
import { createConnections } from './index.ts';
import { connectionsOffice, type List } from './testing/connections.ts';

const {
  noon,
  second,
  minute,
  hour,
  day,
  clock,
  exports,
  app,
  db,
  call,
  lines,
  areas,
  device,
  hear,
  pass,
  of,
  told,
  online,
  event,
} = await connectionsOffice();

describe('the line', () => {
  it('that breaks for a moment is told, and is no outage; what follows closely is told together', async () => {
    const one = await device('wifi');
    await hear(one);
    for (const reason of ['network', 'network', 'keepAlive']) {
      event(one, 'disconnected', { reason });
      clock.set(new Date(clock.now().getTime() + 20 * second));
      event(one, 'connected');
      clock.set(new Date(clock.now().getTime() + 20 * second));
    }
    await lines.settled();
    expect(await told(one)).toEqual([
      ['link', 'keepAlive', 20, 1],
      ['link', 'network', 40, 2],
    ]);
    expect(await online(one)).toMatchObject({ online: true });
  });

  it('that is lost for good is why the device is out of reach, and since when', async () => {
    const one = await device('wifi');
    await hear(one);
    await pass(minute);
    event(one, 'disconnected', { reason: 'signedOff' });
    await lines.settled();
    const since = clock.now().toISOString();
    await pass(17 * minute);
    expect(await of(one)).toMatchObject([{ kind: 'offline', reason: 'signedOff', beganAt: since, endedAt: null }]);
    event(one, 'connected');
    await lines.settled();
    expect((await of(one))[0]?.endedAt, 'a line alone is no sign of life').toBeNull();
    await hear(one);
    expect((await of(one))[0]?.endedAt).not.toBeNull();
  });

  it('that was lost while the device was heard by another way is not why it is silent later', async () => {
    const one = await device('wifi');
    await hear(one);
    event(one, 'disconnected', { reason: 'network' });
    await lines.settled();
    await pass(40 * minute, one);
    const last = clock.now().toISOString();
    await pass(17 * minute);
    expect(await of(one)).toMatchObject([
      { kind: 'offline', reason: 'silent', beganAt: last, endedAt: null },
      { kind: 'link', reason: 'network', endedAt: last },
    ]);
  });

  it('of which somebody else took the name, or that was refused, is told with its address; of unknown devices nothing', async () => {
    const one = await device('wifi');
    event(one, 'takenOver', { before: '10.0.0.6' });
    event(one, 'disconnected', { reason: 'takenOver' });
    event(one, 'denied', { reason: 'wrongPassword' });
    event(one, 'denied', { reason: 'wrongPassword', address: '10.0.0.9' });
    event(one, 'denied', { reason: 'unknownUser' });
    event(999_999, 'denied', { reason: 'wrongPassword' });
    await lines.settled();
    expect(
      (await of(one)).map(({ kind, reason, times, address }) => [kind, reason, times, address]).toSorted(),
    ).toEqual([
      ['link', 'takenOver', 1, '10.0.0.6'],
      ['refused', 'wrongPassword', 2, '10.0.0.9'],
    ]);
    expect((await of(one, '?kind=refused')).map(({ reason }) => reason)).toEqual(['wrongPassword']);
  });

  it('by what a site’s broker says of it', async () => {
    const one = await device('wifi');
    lines.status(one, false, true);
    await lines.settled();
    clock.set(new Date(clock.now().getTime() + second));
    lines.status(one, true, false);
    await lines.settled();
    expect(await told(one)).toEqual([['link', 'lastWill', 1, 1]]);
  });
});

describe('asking', () => {
  it('shows a caller what it may see', async () => {
    const south = await device('wifi', { work_area_id: areas.south, created_at: clock.now() });
    event(south, 'denied', { reason: 'wrongPassword' });
    await lines.settled();
    const { token } = await app.signIn({ username: 'north', permissions: ['device.query'], workAreas: [areas.north] });
    expect((await call<List>(`/api/v1/connections?deviceId=${south}`, { token })).body).toEqual({
      data: [],
      recordsTotal: 0,
    });
    expect((await call(`/api/v1/devices/${south}/connections`, { token })).status).toBe(403);
    expect((await call(`/api/v1/devices/999999/connections`)).status).toBe(404);
    expect((await call('/api/v1/connection-exports', { token, body: {} })).status).toBe(403);
  });

  it('refuses spans that are none, reasons and families that nobody declared', async () => {
    const span = (from: string, to: string) => `from=${from}&to=${to}`;
    for (const query of [
      span('2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z'),
      'reason=bored',
      'kind=odd',
      'family=spaceship',
    ])
      expect((await call(`/api/v1/connections?${query}`)).status, query).toBe(400);
    expect(
      (await call(`/api/v1/connections/figures?${span('2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')}`)).status,
    ).toBe(400);
    expect((await call('/api/v1/connections/figures')).status).toBe(400);
  });

  it('gives the figures of the same rows, by device and lighting day', async () => {
    clock.set(new Date('2026-12-02T12:00:00Z'));
    const one = await device('micro-station-5g', { created_at: new Date('2026-12-02T00:00:00Z') });
    const row = { device_id: one, kind: 'offline', reason: 'silent', noticed_at: new Date(), last_at: new Date() };
    await db
      .insertInto('connection_log')
      .values({
        ...row,
        began_at: new Date('2026-12-02T03:00:00Z'),
        ended_at: new Date('2026-12-02T05:00:00Z'),
      } as never)
      .execute();
    // From the noon (4:00 UTC) before to the noon after.
    const span = 'from=2026-12-01T04:00:00Z&to=2026-12-03T04:00:00Z';
    const told = (await call<ReplyOf<typeof getDeviceAvailability>>(`/api/v1/devices/${one}/availability?${span}`))
      .body;
    expect(told.from).toBe('2026-12-02T00:00:00.000Z');
    expect(told.days.map(({ day: name, due, offline, unknown }) => [name, due + unknown, offline])).toEqual([
      ['2026-12-01', 4 * 3600, 3600],
      ['2026-12-02', expect.any(Number), 3600],
    ]);
    const { span: all, reasons } = (
      await call<ReplyOf<typeof getConnectionFigures>>(`/api/v1/connections/figures?${span}&family=micro-station-5g`)
    ).body;
    for (const key of ['due', 'online', 'offline', 'unpowered', 'unknown'] as const)
      expect(all[key]).toBeCloseTo(told.span[key], 3);
    expect(reasons).toContainEqual({ kind: 'offline', reason: 'silent', count: 1, devices: 1 });
    // The same minute once more: it is a peak, in the step of its hour.
    const again = await device('micro-station-5g', { created_at: new Date('2026-12-02T00:00:00Z') });
    await db
      .insertInto('connection_log')
      .values({
        ...row,
        device_id: again,
        began_at: new Date('2026-12-02T03:00:40Z'),
        ended_at: new Date('2026-12-02T03:30:00Z'),
      } as never)
      .execute();
    const drops = (
      await call<ReplyOf<typeof getConnectionDrops>>(`/api/v1/connections/drops?${span}&family=micro-station-5g`)
    ).body;
    // The rest of the span has not been.
    expect(drops).toEqual({
      from: '2026-12-01T04:00:00.000Z',
      to: clock.now().toISOString(),
      stepSeconds: 900,
      steps: [{ at: '2026-12-02T03:00:00.000Z', count: 2 }],
      peaks: [{ at: '2026-12-02T03:00:00.000Z', count: 2 }],
    });
  });

  it('writes the list as a workbook in the caller’s language', async () => {
    const { bytes, status } = await exports.file(app, '/api/v1/connection-exports', {
      body: { kind: 'refused' },
      headers: { 'accept-language': 'fr-FR' },
    });
    expect(status).toBe(200);
    const [header, ...rows] = await readSheet(bytes);
    expect(header).toContain('Cause');
    expect(rows.length).toBe((await call<List>('/api/v1/connections?kind=refused')).body.recordsTotal);
    expect(rows[0]).toContain('Mot de passe erroné');
  });

  it('forgets what ended long ago, and keeps what goes on', async () => {
    const one = await device('wifi');
    const row = { device_id: one, kind: 'offline', reason: 'silent', noticed_at: noon, last_at: noon };
    const long = new Date(clock.now().getTime() - 500 * day);
    await db
      .insertInto('connection_log')
      .values([
        { ...row, began_at: long, ended_at: long },
        { ...row, began_at: long, ended_at: null },
      ] as never)
      .execute();
    const stop = createConnections({ db, clock, devices: undefined as never }).start();
    await clock.advance(hour);
    stop();
    expect(await of(one)).toMatchObject([{ endedAt: null }]);
  });
});
