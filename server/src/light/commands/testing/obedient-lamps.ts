import { commandOffice } from '../../../testing/command-office.ts';

/** Commands to many lamps that obey. Call it at the top of a test file. */
export async function obedientLamps() {
  // 2026-11-21 20:00 in Hangzhou.
  const office = await commandOffice(Date.parse('2026-11-21T12:00:00Z'));
  const { app, db, call, clock, now, detail, stateOf, ask, act, lamp, quietLamp, dispatcher } = office;
  const quietLamps = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => quietLamp()))).toSorted((a, b) => a.id - b.id);

  /** What a lamp that works does about a switched-on light. */
  const obey = async (lamps: readonly Awaited<ReturnType<typeof quietLamp>>[], id: number, level = 100) => {
    for (const one of lamps) await one.accept(id);
    await clock.advance(1000);
    for (const one of lamps) await one.report(level, level > 0);
  };

  return {
    office,
    app,
    db,
    call,
    clock,
    now,
    detail,
    stateOf,
    ask,
    act,
    lamp,
    quietLamp,
    dispatcher,
    quietLamps,
    obey,
  };
}
