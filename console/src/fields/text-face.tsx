import { Input } from 'antd';
import type { CodeField } from '../../../catalogue/fields/code.ts';
import type { IdCardField, Ipv4Field, PhoneField, SimField } from '../../../catalogue/fields/pattern.ts';
import type { TextField } from '../../../catalogue/fields/text.ts';
import { tied, type CellProps, type Face, type FilterProps, type InputProps } from './face.ts';
import { RegionFilter, RegionInput } from './regions.tsx';

type Textual = TextField | CodeField | PhoneField | Ipv4Field | SimField | IdCardField;
const modes = {
  text: undefined,
  code: undefined,
  phone: 'tel',
  ipv4: 'decimal',
  sim: 'numeric',
  idCard: undefined,
} as const;

function TextInput({ field, ...props }: InputProps<Textual>) {
  if (field.kind === 'text' && field.levels === true) return <RegionInput field={field} {...props} />;
  return <PlainInput field={field} {...props} />;
}

function PlainInput({ field, id, value, onChange, invalid, describedBy }: InputProps<Textual>) {
  const text = typeof value === 'string' ? value : '';
  const change = (next: string): void => onChange(next === '' ? null : next);
  const lines = field.kind === 'text' && field.lines === true;
  if (lines)
    return (
      <Input.TextArea
        {...tied(id, invalid, describedBy)}
        value={text}
        onChange={(event) => change(event.target.value)}
        autoSize={{ minRows: 2, maxRows: 6 }}
      />
    );
  return (
    <Input
      {...tied(id, invalid, describedBy)}
      value={text}
      onChange={(event) => change(event.target.value)}
      inputMode={modes[field.kind]}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

function TextCell({ field, value }: CellProps<Textual>) {
  if (value === null || value === '') return <>—</>;
  return field.kind === 'text' ? <>{String(value)}</> : <span className="code">{String(value)}</span>;
}

/** Only a way through levels is filtered by; other texts are searched for. */
function TextFilter({ field, ...props }: FilterProps<Textual>) {
  return field.kind === 'text' && field.levels === true ? <RegionFilter field={field} {...props} /> : null;
}

export const textFace: Face<Textual> = { Input: TextInput, Cell: TextCell, Filter: TextFilter };
