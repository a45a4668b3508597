import type { DatePickerProps } from 'antd';
import type { RangePickerProps } from 'antd/es/date-picker';
import { lazy, Suspense } from 'react';
import { FieldSoon } from './FieldSoon.tsx';

const load = (): Promise<typeof import('antd/es/date-picker')> => import('antd/es/date-picker');
const Day = lazy(load);
const Days = lazy(async () => ({ default: (await load()).default.RangePicker }));

/** A day, month or moment; antd's, fetched with the first field of its kind that is shown. */
export const DatePicker = (props: DatePickerProps) => (
  <Suspense fallback={<FieldSoon />}>
    <Day {...props} />
  </Suspense>
);

/** Two days or moments, in the same way. */
export const RangePicker = (props: RangePickerProps) => (
  <Suspense fallback={<FieldSoon />}>
    <Days {...props} />
  </Suspense>
);
