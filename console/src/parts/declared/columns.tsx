import { useTranslation } from 'react-i18next';
import type { Field, FieldValue } from '../../../../catalogue/fields/index.ts';
import type { Names } from '../../../../catalogue/names.ts';
import { wordsOf, type Quantity as Measured } from '../../../../catalogue/quantities/index.ts';
import { FieldCell, isNumeric } from '../../fields/index.tsx';
import { useNames } from '../../locales/catalogue-names.ts';
import type { ListColumn } from '../lists/columns.ts';
import { LevelMeter } from '../state/LevelMeter.tsx';
import { Quantity } from '../../fields/Quantity.tsx';
import { StateMark } from '../state/StateMark.tsx';
import { RelativeTime } from '../time/RelativeTime.tsx';
import type { Row, Source } from './source.ts';
import styles from './declared.module.css';

const LATEST = 'latest.';
const latestOf = (row: Row): Readonly<Record<string, unknown>> =>
  (row['latest'] as { values?: Record<string, unknown> } | null | undefined)?.values ?? {};

/** Whether a device is reachable: a mark with its word; "—" while nothing is known. */
export function OnlineMark({ online }: { online: unknown }) {
  const { t } = useTranslation('declared');
  if (typeof online !== 'boolean') return <>—</>;
  return <StateMark state={online ? 'on' : 'offline'} word={t(online ? 'detail.online' : 'detail.offline')} />;
}

/** A reported value with its unit; a level is drawn as light. */
export function ReportedValue({ quantity, value }: { quantity: Measured; value: unknown }) {
  const names = useNames();
  if (value === undefined || value === null) return <>—</>;
  if (quantity.kind !== 'number') return <>{names.option(wordsOf(quantity), String(value))}</>;
  if (quantity.key === 'level') return <LevelMeter level={Number(value)} />;
  const unit = names.unit(quantity.unit);
  return <Quantity value={Number(value)} decimals={quantity.decimals} {...(unit === '' ? {} : { unit })} />;
}

interface Making {
  source: Source;
  names: Names;
  onOpen: (row: Row) => void;
}

function render(key: string, { source, onOpen }: Making): (row: Row) => React.ReactNode {
  const field = source.fields.find((one) => one.key === key);
  if (field && key === source.codeField)
    return (row) => (
      <button type="button" className={`${styles.link} code`} onClick={() => onOpen(row)}>
        {String(row[key] ?? '—')}
      </button>
    );
  if (field)
    return (row) => <FieldCell field={field} value={(row[key] ?? null) as FieldValue} label={row.labels[key]} />;
  if (key === 'isOnline') return (row) => <OnlineMark online={row['isOnline']} />;
  if (key === 'updateTime') return (row) => <RelativeTime at={row.updateTime} />;
  const quantity = source.quantities.find((one) => `${LATEST}${one.key}` === key);
  if (quantity) return (row) => <ReportedValue quantity={quantity} value={latestOf(row)[quantity.key]} />;
  return (row) => <span className="code">{String(row[key] ?? '—')}</span>;
}

const numeric = (key: string, field: Field | undefined, source: Source): boolean => {
  if (field) return isNumeric(field);
  const quantity = source.quantities.find((one) => `${LATEST}${one.key}` === key);
  return quantity?.kind === 'number' && quantity.key !== 'level';
};

const sortable = (key: string, field: Field | undefined, source: Source): boolean => {
  if (field) return field.sort === true;
  if (key === 'isOnline' || key === 'updateTime') return true;
  return source.quantities.some((quantity) => quantity.kind === 'number' && `${LATEST}${quantity.key}` === key);
};

/** What a device reports about itself now. */
const isLive = (key: string): boolean => key === 'isOnline' || key.startsWith(LATEST);
/** Where master data begins: what a device reports stands before it, after the columns that every device list has. */
const MASTER = 'workId';

/** The columns of the source's own list, in order. */
function ownColumns({ listColumns }: Source): readonly string[] {
  const at = listColumns.indexOf(MASTER);
  if (at < 0) return listColumns;
  const rest = listColumns.slice(at);
  return [...listColumns.slice(0, at), ...rest.filter(isLive), ...rest.filter((key) => !isLive(key))];
}

/** Readings on the card of a phone. */
const MOST_READINGS = 2;

/** Whether a row has nothing in a column. */
function isEmptyIn(key: string, source: Source): (row: Row) => boolean {
  const field = source.fields.some((one) => one.key === key);
  const value = (row: Row): unknown =>
    field || !key.startsWith(LATEST) ? row[key] : latestOf(row)[key.slice(LATEST.length)];
  return (row) => {
    const one = value(row);
    return one === undefined || one === null || one === '';
  };
}

/**
 * Every column the source can show: its own list's first, in order, then what may be chosen besides. Secrets and
 * pictures are not for lists.
 */
export function columnsOf(making: Making): ListColumn<Row>[] {
  const { source, names } = making;
  const listed = ownColumns(source);
  const own = new Set(listed);
  const fields = source.fields
    .filter((field) => field.kind !== 'secret' && field.kind !== 'picture')
    .map((field) => field.key);
  const further = [...new Set([...fields, ...source.moreColumns])].filter((key) => !own.has(key));
  const onCard = new Set([
    source.nameField,
    ...listed.filter((key) => key.startsWith(LATEST)).slice(0, MOST_READINGS),
    'roadId',
    'workId',
    'updateTime',
  ]);
  const state = source.reports ? 'isOnline' : 'status';
  return [...listed, ...further].map((key) => {
    const field = source.fields.find((one) => one.key === key);
    return {
      key,
      name: names.column(key, source.key),
      cell: render(key, making),
      align: numeric(key, field, source) ? 'right' : undefined,
      className: field?.kind === 'text' ? styles.text : styles.short,
      sortable: sortable(key, field, source),
      further: !own.has(key),
      always: key === source.codeField,
      state: key === state,
      inCard: onCard.has(key),
      isEmpty: isEmptyIn(key, source),
    };
  });
}
