import { Type } from 'typebox';
import { tableClasses, yearStates } from '../../catalogue/lighting/plan/calendar.ts';
import { holidayCountries } from '../../catalogue/lighting/plan/countries.ts';
import { planLimits } from '../../catalogue/lighting/limits.ts';
import { Day, Id, Nullable, Timestamp, route } from '../route.ts';

/** Holidays by country and year, and what a calendar of programmes makes of a year. */

const { lunarYears, programmes } = planLimits;
const Country = Type.Enum([...holidayCountries]);
const Year = Type.Integer({ minimum: lunarYears.min, maximum: lunarYears.max });
const State = Type.Enum([...yearStates]);
const Class = Type.Enum([...tableClasses]);

/** The calendar of a scheme. Its rules and conditions are checked by the catalogue: each problem by the path of its field. */
export const CalendarBody = Type.Unknown({
  description:
    'An object: `default`, the key of the programme of all other days, and `rules`, at most 60, of which the first that holds wins. A rule: `programme` (a key), `label`, `enabled`, `when` with one or two conditions that all hold. A condition has a `kind`: `date` {date} · `range` {from, to} · `yearly` {from, to: MM-DD, otherwise: none, 02-28 or 03-01} · `weekdays` {days: 1 Monday to 7} · `nthWeekday` {n: 1 to 5 or -1, weekday, months} · `holiday` {class: public, makeupWorkday, eve, weekend or workday; name or null} · `lunar` {month, day, span, leap} · `rrule` {start, rrule}.',
});

const tag = 'calendars';

const HolidayYear = Type.Object({
  country: Country,
  year: Type.Integer(),
  state: State,
  /** Package or file; null: the year is not known. */
  source: Nullable(Type.String()),
  importedAt: Nullable(Timestamp),
  days: Type.Array(Type.Object({ day: Type.String(), class: Class, name: Type.String() })),
});

export const getHolidays = route({
  method: 'GET',
  path: '/api/v1/holidays',
  tag,
  access: 'plan.query',
  summary: 'Days off, makeup workdays and eves of a country’s year. `unknown`: rules about holidays never hold in it.',
  query: Type.Object({ country: Country, year: Year }),
  reply: HolidayYear,
});

/** Largest file of a year's holidays, bytes. */
export const mostHolidayBytes = 256 * 1024;

export const importHolidays = route({
  method: 'POST',
  path: '/api/v1/holiday-imports',
  tag,
  dryRun: true,
  access: 'plan.edit',
  action: 'holiday.import',
  limits: { bytes: mostHolidayBytes },
  encoding: 'bytes',
  status: 201,
  refuses: ['fileNotTable', 'fileDamaged', 'fileTooWide', 'fileTooLarge', 'fileEmpty', 'fileLocked', 'holidaysDarken'],
  summary:
    'Replaces the holidays of a country’s year by those of a file: .ics, .json, or a table with the columns date, class, name (CSV, .xlsx). Everything wrong is named with its line; then nothing is written.',
  query: Type.Object({
    country: Country,
    year: Year,
    /** Name of the file. */
    name: Type.String({ minLength: 1, maxLength: 200 }),
    /** Default: official. */
    state: Type.Optional(Type.Enum(['official', 'estimated'])),
    /** The number of lamps that the refusal `holidaysDarken` contains. */
    confirmCount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  }),
  /** `darkens`: lamps that are darker on days that begin, or cease, to be holidays. */
  reply: Type.Interface([HolidayYear], { darkens: Type.Integer() }),
});

export const previewCalendar = route({
  method: 'POST',
  path: '/api/v1/calendars/preview',
  tag,
  dryRun: 'changes nothing',
  access: 'plan.query',
  // It changes nothing.
  logged: false,
  inPreview: true,
  limits: { entries: 5000 },
  refuses: ['notFound', 'foreignWorkArea'],
  summary:
    'For each day of a year the rule that wins, its programme, and the rules that hold too or cannot be answered.',
  body: Type.Object({
    calendar: CalendarBody,
    programmes: Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
      minItems: programmes.min,
      maxItems: programmes.max,
    }),
    year: Year,
    /** Its time zone tells the country. Null: the one country of all work areas, where they have one. */
    workAreaId: Nullable(Id),
  }),
  reply: Type.Object({
    country: Nullable(Country),
    days: Type.Array(
      Type.Object({
        day: Day,
        programme: Type.Integer(),
        /** Place of the rule that wins; null: the default programme. */
        rule: Nullable(Type.Integer()),
        others: Type.Array(Type.Integer()),
        holidays: Type.Array(Type.Object({ class: Class, name: Type.String() })),
        lunar: Nullable(Type.Object({ month: Type.Integer(), day: Type.Integer(), leap: Type.Boolean() })),
      }),
    ),
    /** What is known of the year and its neighbours. */
    years: Type.Array(Type.Object({ year: Type.Integer(), state: State })),
    /** Rules that are silent on some days, because what they ask is not known. */
    unknown: Type.Array(
      Type.Object({
        rule: Type.Integer(),
        kind: Type.Enum(['holiday', 'lunar', 'rrule']),
        from: Day,
        to: Day,
        days: Type.Integer(),
      }),
    ),
  }),
});
