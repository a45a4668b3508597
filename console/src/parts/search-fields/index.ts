/** Ready-made conditions for the search panel: declared, kept in the address as text. */
export { searchField, type DeclaredSearchField } from './fields.tsx';
export { DayRangePicker } from './DayRangePicker.tsx';
export { afterSecond, endOfSecond, momentsOf, type DayRange } from './text-values.ts';
