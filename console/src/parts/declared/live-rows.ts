import type { DeviceDelta } from '../../../../contract/live.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import type { listDevices } from '../../../../contract/register/devices.ts';

type Page = ReplyOf<typeof listDevices>;
type Row = Page['data'][number];

/** A page of a list with what the live line tells of its rows; the very same page when it tells nothing of them. */
export function withDeltas(page: Page, deltas: readonly DeviceDelta[]): Page {
  const byId = new Map(deltas.map((delta) => [delta.id, delta]));
  if (!page.data.some(({ id }) => byId.has(id))) return page;
  return {
    ...page,
    data: page.data.map((row) => {
      const delta = byId.get(row.id);
      return delta ? withDelta(row, delta) : row;
    }),
  };
}

/** What a delta does not name stays. */
function withDelta(row: Row, { state, online, fault, at, receivedAt, values }: DeviceDelta): Row {
  const reported = at !== undefined || receivedAt !== undefined || values !== undefined;
  return {
    ...row,
    ...(state === undefined ? {} : { state }),
    ...(fault === undefined ? {} : { fault }),
    ...(online === undefined ? {} : { isOnline: online }),
    ...(receivedAt === undefined ? {} : { updateTime: receivedAt }),
    ...(reported
      ? {
          latest: {
            connected: row.latest?.connected ?? null,
            at: at === undefined ? (row.latest?.at ?? null) : at,
            receivedAt: receivedAt === undefined ? (row.latest?.receivedAt ?? null) : receivedAt,
            values: { ...row.latest?.values, ...values },
          },
        }
      : {}),
  };
}
