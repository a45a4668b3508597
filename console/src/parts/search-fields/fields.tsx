import { Select } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { loadChunk } from '../../api/load-chunk.ts';
import type { SearchField } from './SearchPanel.tsx';
import { DayRangePicker } from './DayRangePicker.tsx';
import { FieldSoon } from '../../fields/FieldSoon.tsx';
import { RegionPicker } from './RegionPicker.tsx';
import {
  choicesOf,
  dateFormats,
  joinChoices,
  joinRange,
  momentOf,
  momentsOf,
  rangeOf,
  type DateKind,
} from './text-values.ts';
import { DatePicker } from '../../fields/DatePicker.tsx';

/** One choice of a select, with its fixed names (specified 2.8). */
interface SearchOption {
  readonly itemName: string;
  readonly itemValue: string;
}
interface SearchNode {
  title: string;
  value: string;
  children?: SearchNode[];
}

/**
 * One condition of a search panel, declared: what kind it is and what it offers. Its value is text in the address: a
 * choice as it is, several joined by commas, dates in their format, a range as `from_to`, a region as its official
 * code.
 */
export type DeclaredSearchField = { readonly key: string; readonly label: string } & (
  | { readonly type: 'text' }
  | {
      readonly type: 'select';
      readonly options: readonly SearchOption[];
      readonly multiple?: boolean;
      readonly loading?: boolean;
    }
  | {
      readonly type: DateKind;
      readonly format?: string;
      /** The last day that can be chosen, yyyy-MM-dd. */ readonly last?: string;
    }
  | { readonly type: 'daterange' | 'datetimerange'; readonly last?: string }
  | { readonly type: 'region' }
  | { readonly type: 'tree'; readonly nodes: readonly SearchNode[]; readonly loading?: boolean }
);
export type Of<T extends DeclaredSearchField['type']> = Extract<DeclaredSearchField, { type: T }>;
export interface Control {
  id: string;
  value: string;
  onChange: (value: string) => void;
}

/** What the search panel takes, out of a declaration. */
export function searchField(field: DeclaredSearchField): SearchField {
  const { key, label } = field;
  switch (field.type) {
    case 'text':
      return { key, label };
    case 'select':
      return { key, label, input: (control) => <SelectInput field={field} {...control} /> };
    case 'daterange':
    case 'datetimerange':
      return {
        key,
        label,
        wide: field.type === 'datetimerange',
        input: (control) => <RangeInput field={field} {...control} />,
      };
    case 'region':
      return { key, label, input: (control) => <RegionPicker {...control} /> };
    case 'tree':
      return {
        key,
        label,
        input: (control) => (
          <Suspense fallback={<FieldSoon />}>
            <TreeInput field={field} {...control} />
          </Suspense>
        ),
      };
    default:
      return { key, label, input: (control) => <DateInput field={field} {...control} /> };
  }
}

const TreeInput = lazy(() => loadChunk('tree', () => import('./TreeInput.tsx')));

const wide = { width: '100%' } as const;

function SelectInput({ field, id, value, onChange }: Control & { field: Of<'select'> }) {
  const { t } = useTranslation('search-fields');
  const shared = {
    id,
    style: wide,
    allowClear: true,
    placeholder: t('any'),
    loading: field.loading === true,
    showSearch: { optionFilterProp: 'label' },
    options: field.options.map(({ itemName, itemValue }) => ({ label: itemName, value: itemValue })),
  };
  return field.multiple === true ? (
    <Select<string[]>
      {...shared}
      mode="multiple"
      maxTagCount="responsive"
      value={choicesOf(value)}
      onChange={(chosen) => onChange(joinChoices(chosen))}
    />
  ) : (
    <Select<string | null>
      {...shared}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  );
}

function DateInput({ field, id, value, onChange }: Control & { field: Of<DateKind> }) {
  const format = field.format ?? dateFormats[field.type];
  const last = momentOf(field.last, 'date');
  return (
    <DatePicker
      id={id}
      style={wide}
      format={format}
      picker={field.type === 'month' ? 'month' : 'date'}
      showTime={field.type === 'datetime'}
      {...(last ? { maxDate: last.endOf('day') } : {})}
      value={momentOf(value, field.type, format)}
      onChange={(at) => onChange(at ? at.format(format) : '')}
    />
  );
}

function RangeInput({
  field,
  id,
  value,
  onChange,
}: Control & { field: Extract<DeclaredSearchField, { type: 'daterange' | 'datetimerange' }> }) {
  const clock = field.type === 'datetimerange';
  return (
    <DayRangePicker
      id={id}
      label={field.label}
      clock={clock}
      value={clock ? momentsOf(value) : rangeOf(value)}
      onChange={(range) => onChange(joinRange(range))}
      {...(field.last === undefined ? {} : { last: field.last })}
      openEnds
    />
  );
}
