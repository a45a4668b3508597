import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { mostCurveQuantities } from '../../../../../contract/history/history.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useLeaveByTab } from '../../../parts/form/index.ts';
import { quantitiesOf, type About } from '../../../parts/series/devices.ts';
import styles from './history.module.css';

interface Props {
  about: About;
  shown: readonly string[];
  onChoose: (quantities: readonly string[]) => void;
}

/** Which quantities are shown: those that some of the devices have, the reported ones first. */
export function QuantityPicker({ about, shown, onChoose }: Props) {
  const { t } = useTranslation('curves');
  const names = useNames();
  const { list, around } = useLeaveByTab();
  const all = quantitiesOf(about);
  const isFull = shown.length >= mostCurveQuantities;
  const options = all
    .toSorted((one, other) => Number(other.reported) - Number(one.reported))
    .map(({ key, unit, reported }) => {
      const written = unit === null || unit === 'one' || unit === 'times' ? '' : ` (${names.unit(unit)})`;
      return {
        value: key,
        name: names.quantity(key),
        label: `${names.quantity(key)}${written}${reported ? '' : ` · ${t('quantities.silent')}`}`,
        disabled: isFull && !shown.includes(key),
      };
    });
  return (
    <div className={styles.field} {...around}>
      <label htmlFor="history-quantities">{t('quantities')}</label>
      <Select
        {...list}
        id="history-quantities"
        mode="multiple"
        className={styles.wide ?? ''}
        value={[...shown]}
        options={options}
        disabled={all.length === 0}
        placeholder={t('quantities.choose', { n: mostCurveQuantities })}
        showSearch={{ optionFilterProp: 'label' }}
        labelRender={({ value }) => names.quantity(String(value))}
        onChange={(next: string[]) => onChoose(next.slice(0, mostCurveQuantities))}
      />
    </div>
  );
}
