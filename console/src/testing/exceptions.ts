import type { listExceptions } from '../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../contract/route.ts';

/** Of examples of exceptions. */
export const at = '2026-11-22T04:00:00.000Z';
type Row = ReplyOf<typeof listExceptions>['data'][number];
/** An exception in force, otherwise as it is asked for. */
export const exceptionRow = (more: Partial<Row> = {}): Row => ({
  id: 5,
  state: 'inForce',
  scope: { roadIds: [1], names: ['滨江大道'] },
  fromDay: '2026-11-23',
  toDay: '2026-11-25',
  from: '2026-11-23T04:00:00.000Z',
  to: '2026-11-26T04:00:00.000Z',
  op: 'max',
  level: 90,
  programme: null,
  reason: '春节灯会照明',
  actorName: '张工',
  createdAt: '2026-11-22T04:00:00.000Z',
  endedAt: null,
  endReason: null,
  total: 312,
  whole: true,
  cannot: 2,
  darkens: 0,
  belowFloor: [],
  agreedBy: null,
  approval: null,
  ...more,
});
