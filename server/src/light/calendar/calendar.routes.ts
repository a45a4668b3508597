import { getHolidays, importHolidays, previewCalendar } from '../../../../contract/light/calendar.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Calendars } from './calendar.service.ts';

export const calendarRoutes = (calendars: Calendars): Binding[] => [
  bind(getHolidays, ({ query }) => calendars.holidays(query)),
  bind(importHolidays, ({ query }, ctx) => calendars.import(ctx, query), { rules: 'none' }),
  bind(previewCalendar, ({ body }, ctx) => calendars.preview(ctx, body), {
    rules: ({ body = {} }) => calendars.problems(body),
  }),
];
