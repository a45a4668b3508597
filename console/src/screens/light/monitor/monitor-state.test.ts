import fc from '../../../../../catalogue/testing/properties.ts';
import { describe, expect, test } from 'vitest';
import { lampFaultCodes, lampStates } from '../../../../../contract/light/lamps.ts';
import { commandItem } from '../../../testing/commands.ts';
import { byUrgency, commandBody, funnel, secondsLeft, truthOf, type Item } from '../../../parts/commands/commands.ts';
import { endInstant } from '../../../parts/commands/EndPicker.tsx';
import { nightSpan } from '../../../parts/lamp/PowerCurve.tsx';
import { durationClock } from '../../../parts/time/use-now.ts';
import { countFilters, noFilters, readFilters, toQuery, writeFilters, type Filters } from './filters.ts';
import { LampNews } from './lamp-news.ts';
import { placeOf, type Lamp } from '../../../parts/lamp/lamp.ts';
import { readView, whyEmpty } from './view-state.ts';

describe('filters in the address', () => {
  const id = fc.integer({ min: 1, max: 1e12 });
  const filters: fc.Arbitrary<Filters> = fc.record({
    q: fc.string({ maxLength: 100 }).map((text) => text.trim()),
    roadIds: fc.array(id, { maxLength: 4 }),
    groupId: fc.option(id),
    controllerId: fc.option(id),
    states: fc.subarray([...lampStates]),
    faults: fc.subarray([...lampFaultCodes]),
    online: fc.option(fc.boolean()),
    lit: fc.option(fc.constantFrom('lit' as const, 'notLit' as const)),
    plan: fc.option(fc.constant('astray' as const)),
  });

  test('what is written is read back, and the rest of the address stays', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const written = writeFilters(new URLSearchParams('view=list&lamp=7&page=3'), given);
        expect(readFilters(new URLSearchParams(written.toString()))).toEqual(given);
        expect([written.get('view'), written.get('lamp'), written.get('page')]).toEqual(['list', '7', null]);
      }),
    );
  });

  test('rubbish counts as not given', () => {
    expect(
      readFilters(
        new URLSearchParams('roads=a,0,-4&group=1e9&states=<b>,constructor&faults=L999&online=maybe&lit=1&plan=x'),
      ),
    ).toEqual(noFilters);
  });

  test('only what is set is asked', () => {
    expect(toQuery(noFilters)).toEqual({});
    expect(toQuery({ ...noFilters, q: '  江 ', roadIds: [3, 4], online: false })).toEqual({
      q: '江',
      roadIds: '3,4',
      online: false,
    });
    expect(countFilters({ ...noFilters, states: ['alarm'], lit: 'notLit' })).toBe(2);
  });

  test('without WebGL the list stands in the map’s place', () => {
    expect(readView(new URLSearchParams(''), true).shown).toBe('map');
    expect(readView(new URLSearchParams(''), false).shown).toBe('list');
    expect(readView(new URLSearchParams('size=7&page=0&sort=x;y'), true)).toMatchObject({
      size: 50,
      page: 1,
      sort: '',
    });
  });

  test('an empty map says why: lamps without a place are lamps, also while states leave out what is not known', () => {
    expect(whyEmpty({ shown: 0, placed: 0, unplaced: 0, matchingUnplaced: 0 })).toBe('noLamps');
    expect(whyEmpty({ shown: 0, placed: 0, unplaced: 7, matchingUnplaced: 7 })).toBe('noPlaces');
    expect(whyEmpty({ shown: 0, placed: 0, unplaced: 7, matchingUnplaced: null })).toBe('noPlaces');
    expect(whyEmpty({ shown: 0, placed: 0, unplaced: 7, matchingUnplaced: 0 })).toBe('noMatch');
    expect(whyEmpty({ shown: 0, placed: 3, unplaced: 7, matchingUnplaced: null })).toBe('noMatch');
    expect(whyEmpty({ shown: 0, placed: 3, unplaced: 7, matchingUnplaced: 2 })).toBe('noPlaces');
    expect([
      whyEmpty({ shown: 1, placed: 3, unplaced: 7, matchingUnplaced: 2 }),
      whyEmpty({ shown: null, placed: 0, unplaced: 0, matchingUnplaced: 0 }),
    ]).toEqual([null, null]);
  });
});

const item = (state: Item['state'], more: Partial<Item> = {}): Item =>
  commandItem({ code: 'BJ-1', state, queuedAt: '2026-11-20T12:00:00.000Z', ...more });

describe('commands', () => {
  test('a lasting command carries its end; back to programme carries none', () => {
    expect(commandBody({ command: 'dim', level: 60 }, { deviceIds: [1] }, '2026-11-20T13:00:00Z', ' 施工 ')).toEqual({
      deviceIds: [1],
      command: 'dim',
      args: { level: 60 },
      until: '2026-11-20T13:00:00Z',
      reason: '施工',
    });
    expect(commandBody({ command: 'auto' }, { scope: { roadId: 3 } }, '2026-11-20T13:00:00Z', '')).toEqual({
      scope: { roadId: 3 },
      command: 'auto',
    });
    expect(endInstant({ kind: 'switch' }, 0)).toBeNull();
    expect(Date.parse(endInstant({ kind: 'after', minutes: 99_999 }, 0)!)).toBeLessThan(24 * 3_600_000);
  });

  test('the funnel adds what went wrong, and what was superseded or cancelled is nobody’s failure', () => {
    expect(
      funnel({
        queued: 1,
        sent: 2,
        acknowledged: 3,
        confirmed: 4,
        failed: 1,
        timedOut: 2,
        expired: 1,
        superseded: 5,
        cancelled: 6,
        waiting: 2,
      }),
    ).toEqual({
      queued: 1,
      waiting: 2,
      sent: 2,
      acknowledged: 3,
      confirmed: 4,
      failed: 4,
      superseded: 5,
      cancelled: 6,
    });
  });

  test('failures first, then what is open, then what is proven', () => {
    expect(
      byUrgency([
        item('confirmed'),
        item('queued'),
        item('timedOut', { code: 'BJ-10' }),
        item('timedOut', { code: 'BJ-9' }),
        item('failed'),
      ]).map((one) => `${one.state} ${one.code}`),
    ).toEqual(['failed BJ-1', 'timedOut BJ-9', 'timedOut BJ-10', 'queued BJ-1', 'confirmed BJ-1']);
  });

  test('only a confirmed command has a time of confirmation', () => {
    const ended = {
      sentAt: '2026-11-20T12:00:01.000Z',
      acknowledgedAt: '2026-11-20T12:00:02.000Z',
      endedAt: '2026-11-20T12:02:02.000Z',
    };
    expect(truthOf(item('timedOut', ended)).at.confirmed).toBeNull();
    expect(truthOf(item('confirmed', ended)).at.confirmed).toBe(ended.endedAt);
  });

  test('the clock of a waiting command runs from the step before, and stops at zero', () => {
    const limits = { acknowledgeSeconds: 30, confirmSeconds: 120 };
    const sent = item('sent', { sentAt: '2026-11-20T12:00:00.000Z' });
    const at = Date.parse('2026-11-20T12:00:10.000Z');
    expect(secondsLeft(sent, limits, at)).toBe(20);
    expect(secondsLeft(item('acknowledged', { acknowledgedAt: '2026-11-20T12:00:00.000Z' }), limits, at)).toBe(110);
    expect(secondsLeft(sent, limits, at + 1e6)).toBe(0);
    expect(secondsLeft(sent, limits, at - 1e6), "the server's clock is ahead").toBe(limits.acknowledgeSeconds);
    expect(secondsLeft(item('queued'), limits, at)).toBeNull();
    expect([durationClock(19_400), durationClock(3_661_000)]).toEqual(['00:19', '1:01:01']);
  });
});

describe('live news over a row', () => {
  const lamp = {
    id: 7,
    state: 'on',
    level: 100,
    power: 118,
    fault: null,
    online: true,
    at: '2026-11-20T12:00:00.000Z',
  } as Lamp;
  test('newer news win, older news do not', () => {
    const news = new LampNews();
    news.take([[7, 3, -1, 'L101', true, Date.parse('2026-11-20T12:01:00.000Z'), 2.5]]);
    expect(news.over(lamp)).toMatchObject({
      state: 'alarm',
      level: null,
      fault: 'L101',
      power: 2.5,
      at: '2026-11-20T12:01:00.000Z',
    });
    expect(news.over({ ...lamp, at: '2026-11-20T12:02:00.000Z' })).toMatchObject({ state: 'on', power: 118 });
    expect(news.over({ ...lamp, id: 8 }).state).toBe('on');
    news.dispose();
  });

  test('a place is not said twice', () => {
    expect(placeOf({ roadName: '滨江大道', location: '滨江大道 北侧 3 号杆', name: null })).toBe(
      '滨江大道 北侧 3 号杆',
    );
    expect(placeOf({ roadName: '滨江大道', location: null, name: '三号灯' })).toBe('滨江大道 · 三号灯');
    expect(placeOf({ roadName: null, location: null, name: null })).toBe('—');
  });
});

test('tonight’s curve runs from an hour before the lamp comes on to after it goes off', () => {
  const step = (at: string, level: number) => ({ at: `2026-11-${at}:00.000Z`, level, byPattern: false });
  const steps = [step('20T09:00', 100), step('20T15:00', 0), step('20T21:00', 100), step('20T22:30', 0)];
  expect(nightSpan({ day: '2026-11-20', steps })).toEqual({
    from: '2026-11-20T08:00:00.000Z',
    to: '2026-11-20T23:00:00.000Z',
  });
  expect([nightSpan({ day: '2026-06-21', steps: [] }), nightSpan(null)]).toEqual([{}, {}]);
});
