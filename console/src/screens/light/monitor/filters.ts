import type { Static } from 'typebox';
import { lampFaultCodes, lampStates, type LampFilter } from '../../../../../contract/light/lamps.ts';

/** What the monitor is filtered by; it lives in the address, so that a link or a reload shows the same lamps. */
export interface Filters {
  q: string;
  roadIds: readonly number[];
  groupId: number | null;
  controllerId: number | null;
  /** Empty: every state. */
  states: readonly LampStateName[];
  faults: readonly (typeof lampFaultCodes)[number][];
  online: boolean | null;
  lit: 'lit' | 'notLit' | null;
  plan: 'astray' | null;
}

export type LampStateName = (typeof lampStates)[number];
export const noFilters: Filters = {
  q: '',
  roadIds: [],
  groupId: null,
  controllerId: null,
  states: [],
  faults: [],
  online: null,
  lit: null,
  plan: null,
};

/** The conditions by their names in the address. */
export const filterNames = ['q', 'roads', 'group', 'controller', 'states', 'faults', 'online', 'lit', 'plan'] as const;

const id = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
const list = (text: string | null): string[] => (text ?? '').split(',').filter(Boolean);

/** Reads the address; what it cannot read counts as not given. */
export function readFilters(search: URLSearchParams): Filters {
  const lit = search.get('lit');
  const online = search.get('online');
  return {
    q: (search.get('q') ?? '').slice(0, 100),
    roadIds: list(search.get('roads'))
      .map(id)
      .filter((one) => one !== null),
    groupId: id(search.get('group')),
    controllerId: id(search.get('controller')),
    states: lampStates.filter((state) => list(search.get('states')).includes(state)),
    faults: lampFaultCodes.filter((fault) => list(search.get('faults')).includes(fault)),
    online: online === 'true' ? true : online === 'false' ? false : null,
    lit: lit === 'lit' || lit === 'notLit' ? lit : null,
    plan: search.get('plan') === 'astray' ? 'astray' : null,
  };
}

/** The address with these filters in it; everything else in it (view, page, opened lamp) stays. */
export function writeFilters(search: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null) =>
    value === null || value === '' ? next.delete(name) : next.set(name, value);
  put('q', filters.q.trim());
  put('roads', filters.roadIds.join(','));
  put('group', filters.groupId === null ? null : String(filters.groupId));
  put('controller', filters.controllerId === null ? null : String(filters.controllerId));
  put('states', filters.states.join(','));
  put('faults', filters.faults.join(','));
  put('online', filters.online === null ? null : String(filters.online));
  put('lit', filters.lit);
  put('plan', filters.plan);
  next.delete('page');
  return next;
}

/** As the server's query takes them. */
export function toQuery(filters: Filters): Static<typeof LampFilter> {
  return {
    ...(filters.q.trim() === '' ? {} : { q: filters.q.trim() }),
    ...(filters.roadIds.length === 0 ? {} : { roadIds: filters.roadIds.join(',') }),
    ...(filters.groupId === null ? {} : { groupId: filters.groupId }),
    ...(filters.controllerId === null ? {} : { controllerId: filters.controllerId }),
    ...(filters.states.length === 0 ? {} : { states: filters.states.join(',') }),
    ...(filters.faults.length === 0 ? {} : { faults: filters.faults.join(',') }),
    ...(filters.online === null ? {} : { online: filters.online }),
    ...(filters.lit === null ? {} : { lit: filters.lit }),
    ...(filters.plan === null ? {} : { plan: filters.plan }),
  };
}

/** How many of the conditions are set: "3 in use". */
export function countFilters(filters: Filters): number {
  return Object.keys(toQuery(filters)).length;
}
