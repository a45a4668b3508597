export { createHolidayWeighing } from './holidays.ts';
export { createRegisterWeighing } from './register.ts';
export { createRowWeighing } from './rows.ts';
