import { InputNumber } from 'antd';
import type { CoordinateField } from '../../../catalogue/fields/coordinate.ts';
import type { IntegerField } from '../../../catalogue/fields/integer.ts';
import type { NumberField } from '../../../catalogue/fields/number.ts';
import type { PortField } from '../../../catalogue/fields/port.ts';
import { useNames } from '../locales/catalogue-names.ts';
import { Quantity } from './Quantity.tsx';
import { tied, type CellProps, type Face, type InputProps } from './face.ts';

type Numeric = NumberField | IntegerField | PortField | CoordinateField;

/** Digits behind the point of a value as it was given; a rated 150 W is not 150.0 W. */
const givenDecimals = (value: number): number => (String(value).split('.')[1] ?? '').length;

function unitOf(field: Numeric, name: (key: string) => string): string | undefined {
  if (field.kind === 'coordinate') return '°';
  return 'unit' in field && field.unit !== undefined ? name(field.unit) || undefined : undefined;
}

function NumberInput({ field, id, value, onChange, invalid, describedBy }: InputProps<Numeric>) {
  const names = useNames();
  const unit = unitOf(field, names.unit);
  return (
    <InputNumber
      {...tied(id, invalid, describedBy)}
      style={{ width: '100%' }}
      controls={false}
      {...(unit === undefined ? {} : { suffix: unit })}
      value={typeof value === 'number' ? value : null}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      // What is out of range is kept and named, never silently moved to the limit.
      changeOnWheel={false}
      inputMode={field.kind === 'number' || field.kind === 'coordinate' ? 'decimal' : 'numeric'}
    />
  );
}

function NumberCell({ field, value }: CellProps<Numeric>) {
  const names = useNames();
  const unit = unitOf(field, names.unit);
  const number = typeof value === 'number' ? value : null;
  // Written the same in every language: people copy them.
  if (field.kind === 'port' && number !== null) return <span className="code">{number}</span>;
  if (field.kind === 'coordinate' && number !== null) return <span className="code">{number}°</span>;
  return (
    <Quantity
      value={number}
      {...(unit === undefined ? {} : { unit })}
      decimals={number === null ? 0 : givenDecimals(number)}
    />
  );
}

export const numberFace: Face<Numeric> = { Input: NumberInput, Cell: NumberCell, Filter: null, numeric: true };
