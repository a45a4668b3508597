export { calendarRoutes } from './calendar.routes.ts';
export {
  countryIn,
  createCalendars,
  findUnknownYears,
  prepareHolidays,
  zonesIn,
  type HolidaysAsked,
  type WeighHolidays,
} from './calendar.service.ts';
export { loadDayFacts } from './day-facts.ts';
