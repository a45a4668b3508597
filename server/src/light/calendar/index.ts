export { calendarRoutes } from './calendar.routes.ts';
export { createCalendars, findUnknownYears, prepareHolidays } from './calendar.service.ts';
export { loadDayFacts } from './day-facts.ts';
