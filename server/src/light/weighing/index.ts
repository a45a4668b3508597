export { createHolidayWeighing } from './holidays.ts';
export { createRowWeighing } from './rows.ts';
