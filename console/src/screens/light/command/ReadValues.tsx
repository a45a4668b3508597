import { useTranslation } from 'react-i18next';
import { isLamp } from '../../../../../catalogue/lighting/families.ts';
import { quantities } from '../../../../../catalogue/quantities/index.ts';
import { stateWord, useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber, Quantity, RelativeTime } from '../../../parts/index.ts';
import type { ListColumn } from '../../../parts/lists/columns.ts';
import type { Row } from './Items.tsx';
import styles from './command.module.css';

/** Quantities with a column of their own; the others stand together. */
const own = ['level', 'power', 'voltage', 'current'] as const;
const order = [...quantities.keys()];
const placeOf = (key: string): number => order.indexOf(key) + 1 || 999;

/** What the device said, with how old it is; nothing where it said nothing to this read. */
export function useReadColumns(rows: readonly Row[] | undefined): ListColumn<Row>[] {
  // Lamps have their main values in columns; what other families say stands only in the last one.
  const lampsOnly = rows?.every((row) => isLamp(row.family)) ?? true;
  const { t } = useTranslation('commands');
  const names = useNames();
  return [
    { key: 'age', name: t('read.age'), hint: t('read.ageHint'), cell: (row) => <RelativeTime at={row.reading?.at} /> },
    ...own.map((key): ListColumn<Row> => ({
      key,
      name: names.quantity(key),
      align: 'right',
      cell: (row) => <One row={row} name={key} />,
    })),
    {
      key: 'values',
      name: t('read.values'),
      className: styles.values,
      further: lampsOnly,
      cell: (row) => <Values row={row} without={own} />,
    },
  ];
}

/** Whether the values are an answer to this read; else they are what was last known, and grey. */
const answered = (row: Row): boolean => row.state === 'confirmed';

function One({ row, name }: { row: Row; name: string }) {
  const names = useNames();
  const value = row.reading?.values[name];
  const quantity = quantities.get(name);
  if (typeof value !== 'number' || quantity?.kind !== 'number') return <>—</>;
  return (
    <Quantity
      value={value}
      {...(quantity.unit === '' || quantity.unit === 'one' ? {} : { unit: names.unit(quantity.unit) })}
      decimals={quantity.decimals}
      stale={!answered(row)}
    />
  );
}

/** All values of a reading in one line, by the catalogue's names, order and units. */
function Values({ row, only, without = [] }: { row: Row; only?: readonly string[]; without?: readonly string[] }) {
  const { i18n } = useTranslation('commands');
  const names = useNames();
  const text = (key: string, value: unknown): string => {
    if (typeof value === 'boolean' || typeof value === 'string') return stateWord(names, key, value);
    if (typeof value !== 'number') return '—';
    const quantity = quantities.get(key);
    if (quantity?.kind !== 'number') return formatNumber(value, i18n.language, 0);
    const unit = quantity.unit === '' || quantity.unit === 'one' ? '' : ` ${names.unit(quantity.unit)}`;
    return `${formatNumber(value, i18n.language, quantity.decimals)}${unit}`;
  };
  const shown = Object.entries(row.reading?.values ?? {})
    .filter(([key, value]) => !without.includes(key) && (only?.includes(key) ?? true) && value !== null)
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  if (shown.length === 0) return <>—</>;
  return (
    <span className={styles.valueList} data-stale={!answered(row) || undefined}>
      {shown.map(([key, value]) => (
        <span key={key}>
          {names.quantity(key)} <b>{text(key, value)}</b>
        </span>
      ))}
    </span>
  );
}

/** On a phone: of a lamp what operators look at first, of anything else all it said. */
export const MainValues = ({ row }: { row: Row }) =>
  isLamp(row.family) ? <Values row={row} only={own} /> : <Values row={row} />;
