import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { listExceptions } from '../../../../contract/light/exceptions.ts';
import type { ReplyOf } from '../../../../contract/route.ts';
import { formatNumber, formatPercent, useTime } from '../index.ts';

export type Exception = ReplyOf<typeof listExceptions>['data'][number];
export type BelowFloor = Exception['belowFloor'];

const endWaits = ({ ending, approval }: Exception): boolean => ending !== undefined && approval?.outcome === 'pending';
/** Lamps that get darker with it, or once it ends as was asked. */
export const darkensOf = (row: Exception): number => (endWaits(row) ? row.ending?.darkens : undefined) ?? row.darkens;
/** Lamps below the floor of their road with it, or once it ends as was asked. */
const belowFloorOf = (row: Exception): BelowFloor =>
  (endWaits(row) ? row.ending?.belowFloor : undefined) ?? row.belowFloor;
/** What a second person agrees to, with its digest. */
export interface Weighed {
  readonly below: BelowFloor;
  readonly darkens: number;
  readonly digest: string;
}
/** Of it, or of its end once that was asked for, as it is stored. */
export const weighedOf = (row: Exception): Weighed => ({
  below: belowFloorOf(row),
  darkens: darkensOf(row),
  digest: row.approval?.digest ?? '',
});
export const lampsOf = (below: BelowFloor): number => below.reduce((sum, { lamps }) => sum + lamps, 0);

/** An exception in words: its light, its time, its places, its lamps. */
export function useExceptionWords() {
  const { t, i18n } = useTranslation('exceptions');
  const time = useTime();
  return useMemo(() => {
    const number = (n: number): string => formatNumber(n, i18n.language, 0);
    return {
      number,
      effect: ({ op, level, programme }: Exception): string =>
        op === null
          ? programme
            ? `${programme.code} v${programme.number} · ${programme.programmeName ?? programme.key}`
            : '—'
          : t(`effect.${op}`, { level: level ?? 0 }),
      when: ({ fromDay, toDay, from, to }: Exception): string =>
        fromDay === null ? `${time(from, 'dayTime')} – ${time(to, 'dayTime')}` : `${fromDay} – ${toDay ?? ''}`,
      /** Its end was asked for before its time, and waits for a second person; null: it does not. */
      ending: ({ ending, approval }: Exception): string | null =>
        ending !== undefined && approval?.outcome === 'pending'
          ? t('state.ending', { by: ending.by, at: time(ending.at, 'dayTime'), reason: ending.reason })
          : null,
      scope: ({ scope }: Exception): string => scope.names?.join(' · ') || '—',
      lamps: ({ total, cannot }: Exception): string =>
        cannot === 0 ? number(total) : t('lamps.cannot', { n: number(total), cannot: number(cannot) }),
      /** How many lamps are below the floor, and the lowest mean. */
      floor: (of: Exception): string => {
        const belowFloor = belowFloorOf(of);
        return belowFloor.length === 0
          ? '—'
          : `${number(lampsOf(belowFloor))} (${formatPercent(Math.min(...belowFloor.map(({ level }) => level)), i18n.language)})`;
      },
      /** Where no heading says that they are lamps. */
      lampsInWords: ({ total, cannot }: Exception): string =>
        cannot === 0
          ? t('waiting.lamps', { n: number(total) })
          : t('lamps.cannot', { n: number(total), cannot: number(cannot) }),
    };
  }, [t, i18n.language, time]);
}
