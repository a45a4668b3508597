import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listBaseMaps } from '../../../../../contract/shell/base-maps.ts';
import { useCall } from '../../../api/index.ts';
import { usePreference } from '../../../frame/preferences.ts';
import { useMapFailure } from './health.ts';
import type { BaseMapView } from './map-style.ts';

/** The base maps of the site, the one this account looks at, and whether it comes. */
export interface BaseMapChoice {
  /** Null: the list is on its way, or did not come. */
  readonly chosen: BaseMapView | null;
  readonly all: readonly BaseMapView[];
  readonly choose: (id: number) => void;
  /** Why its tiles do not come, or null. */
  readonly failure: string | null;
}

const stale = 5 * 60_000;

/** The account's choice is remembered; one that is gone falls back to the site's default. */
export function useBaseMap(): BaseMapChoice {
  const { data } = useCall(listBaseMaps, {}, { staleTime: stale });
  const [kept, choose] = usePreference<number | null>('map:base', null, (stored) =>
    typeof stored === 'number' ? stored : null,
  );
  const all = useMemo(() => data?.data ?? [], [data]);
  const chosen = all.find(({ id }) => id === kept) ?? all.find(({ isDefault }) => isDefault) ?? null;
  return { chosen, all, choose, failure: useMapFailure(chosen?.id) };
}

/** What a base map is called: its own name, else that of its kind in the reader's language. */
export function useBaseMapName(): (map: {
  readonly kind: BaseMapView['kind'];
  readonly name: string | null;
  readonly style: string | null;
}) => string {
  const { t } = useTranslation('base-maps');
  return ({ kind, name, style }) => {
    if (name) return name;
    const own = t(`kind.${kind}`);
    return style === 'vec' || style === 'img' || style === 'ter'
      ? t('named', { kind: own, style: t(`style.${style}`) })
      : own;
  };
}
