import type { DatePicker as AntdDatePicker, DatePickerProps, GetProps } from 'antd';
import type { Dayjs } from 'dayjs';
import { lazy, Suspense, type ComponentType } from 'react';
import { loadChunk } from '../api/load-chunk.ts';
import { FieldSoon } from './FieldSoon.tsx';

const load = (): Promise<typeof import('./antd/DatePicker.ts')> =>
  loadChunk('date', () => import('./antd/DatePicker.ts'));
type Props = DatePickerProps<Dayjs, false>;
const Day = lazy(load) as ComponentType<Props>;
const Days = lazy(async () => ({ default: (await load()).default.RangePicker }));

/** A day, month or moment; antd's, fetched with the first field of its kind that is shown. */
export const DatePicker = (props: Props) => (
  <Suspense fallback={<FieldSoon />}>
    <Day {...props} />
  </Suspense>
);

/** Two days or moments, in the same way. */
export const RangePicker = (props: GetProps<typeof AntdDatePicker.RangePicker>) => (
  <Suspense fallback={<FieldSoon />}>
    <Days {...props} />
  </Suspense>
);
