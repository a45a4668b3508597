import type { Static } from 'typebox';
import type { HomeLine } from '../../../../contract/light/home.ts';
import type { FoundLine } from '../../register/episodes/index.ts';

interface Lines {
  data: Static<typeof HomeLine>[];
  lines: number;
  devices: number;
}

/** Lines as they are sent, with the numbers of all of them. */
export const linesOf = (rows: readonly FoundLine[]): Lines => ({
  lines: rows[0]?.lines ?? 0,
  devices: rows[0]?.devices ?? 0,
  data: rows.map(({ lines: _lines, devices: _devices, level, at, beganAt, endedAt, lastAt, ...row }) => ({
    ...row,
    level: level === 1 || level === 2 ? level : 3,
    at: at.toISOString(),
    beganAt: beganAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    lastAt: lastAt.toISOString(),
  })),
});
