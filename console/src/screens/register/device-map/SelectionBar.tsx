import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber, Icon } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import styles from './map.module.css';

/** How many of each family are selected; a family opens as a list with everything that can be done to several. */
export function SelectionBar({
  field,
  ids,
  onOpen,
  onClear,
}: {
  field: DeviceField;
  ids: ReadonlySet<number>;
  onOpen: (family: string) => void;
  onClear: () => void;
}) {
  const { t, i18n } = useTranslation('device-map');
  const names = useNames();
  const number = (value: number): string => formatNumber(value, i18n.language, 0);
  const counts = useMemo(() => {
    const found = new Map<string, number>();
    for (const id of ids) {
      const index = field.indexOf(id);
      if (index !== undefined) found.set(field.familyOf(index), (found.get(field.familyOf(index)) ?? 0) + 1);
    }
    return field.familyKeys.flatMap((key) => {
      const count = found.get(key);
      return count === undefined ? [] : [{ key, count }];
    });
  }, [field, ids]);
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('select.label')}>
      <b role="status">{t('select.count', { n: number(ids.size) })}</b>
      <span className={styles.barFamilies}>
        {counts.map(({ key, count }) => (
          <button
            key={key}
            type="button"
            title={t('select.open', { family: names.family(key) })}
            onClick={() => onOpen(key)}
          >
            <Icon name={familyIcon(key)} size={14} />
            {names.family(key)} <b>{number(count)}</b>
          </button>
        ))}
      </span>
      <button
        type="button"
        className={styles.barClose}
        aria-label={t('select.clear')}
        title={t('select.clear')}
        onClick={onClear}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  );
}
