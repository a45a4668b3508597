/** Ready-made conditions for the search panel: declared, kept in the address as text. */
export { searchField, type DeclaredSearchField, type SearchNode, type SearchOption } from './fields.tsx';
export { DayRangePicker } from './DayRangePicker.tsx';
export { joinRange, rangeOf, type DayRange } from './text-values.ts';
