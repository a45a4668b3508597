import { useTranslation } from 'react-i18next';
import { quantities } from '../../../../../catalogue/quantities/index.ts';
import { formatNumber, Quantity } from '../../../parts/index.ts';
import { stateWord, useNames } from '../../../locales/catalogue-names.ts';
import styles from './device.module.css';

const order = [...quantities.keys()];
/** As the catalogue lists them; what it does not know comes last. */
const inOrder = <T,>(values: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(values).sort(([a], [b]) => (order.indexOf(a) + 1 || 999) - (order.indexOf(b) + 1 || 999));

/** Every value the lamp sent last, by the catalogue's names and units. */
export function ValueTable({ values }: { values: Readonly<Record<string, number | boolean | string | null>> }) {
  const { i18n } = useTranslation('lamp');
  const names = useNames();
  const text = (key: string, value: number | boolean | string | null) => {
    if (typeof value !== 'number') return value === null ? '—' : stateWord(names, key, value);
    const quantity = quantities.get(key);
    if (quantity?.kind !== 'number') return formatNumber(value, i18n.language, 0);
    return (
      <Quantity
        value={value}
        {...(quantity.unit === '' || quantity.unit === 'one' ? {} : { unit: names.unit(quantity.unit) })}
        decimals={quantity.decimals}
      />
    );
  };
  return (
    <dl className={styles.values}>
      {inOrder(values).map(([key, value]) => (
        <div key={key}>
          <dt>{names.quantity(key)}</dt>
          <dd>{text(key, value)}</dd>
        </div>
      ))}
    </dl>
  );
}
