import dayjs from 'dayjs';
import type { DateField } from '../../../catalogue/fields/date.ts';
import { tied, type CellProps, type Face, type InputProps } from './face.ts';
import { DatePicker } from './DatePicker.tsx';

function DateInput({ id, value, onChange, invalid, describedBy }: InputProps<DateField>) {
  const at = typeof value === 'string' ? dayjs(value) : null;
  return (
    <DatePicker
      {...tied(id, invalid, describedBy)}
      style={{ width: '100%' }}
      format="YYYY-MM-DD"
      value={at?.isValid() ? at : null}
      onChange={(next) => onChange(next ? next.format('YYYY-MM-DD') : null)}
    />
  );
}

const DateCell = ({ value }: CellProps<DateField>) => <>{typeof value === 'string' ? value : '—'}</>;

export const dateFace: Face<DateField> = { Input: DateInput, Cell: DateCell, Filter: null };
