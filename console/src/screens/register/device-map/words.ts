import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MapStateName } from '../../../../../contract/device-map.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import type { MarkState } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import type { MapWords } from '../../../parts/map/words.ts';

/** The mark of a state: what is in use and says nothing is told like a note. */
export const markOf = (state: MapStateName): MarkState => (state === 'inUse' ? 'info' : state);

/** What the map calls the things on it. */
export function useMapWords(field: DeviceField | null): MapWords {
  const { t } = useTranslation('device-map');
  const names = useNames();
  return useMemo(() => {
    const visible = (index: number): readonly number[] =>
      field?.stackOf(index).filter((one) => field.visible[one] === 1) ?? [];
    const state = (index: number): MapStateName => field?.mapState(index) ?? 'unknown';
    return {
      map: t('map'),
      boxHint: t('select.boxHint'),
      pill: (values) => t('pill', values),
      nameOf: (index) => {
        const more = visible(index).length - 1;
        const name = names.family(field?.familyOf(visible(index)[0] ?? index) ?? '');
        return more > 0 ? t('stack.name', { name, n: more }) : name;
      },
      stateOf: (index) => t(`state.${state(index)}`),
      markOf: (index) => markOf(state(index)),
    };
  }, [field, names, t]);
}
