/** Choosing accounts, as the specification writes their names. */
export { PeopleSelect } from './PeopleSelect.tsx';
export { usePeople, withMobile, withUsername } from './use-people.ts';
