import { useAddress } from '../../../parts/page/use-address.ts';
import { useLog } from './use-log.ts';
import { filterKeys, type LogKind, type LogRow } from './log.ts';

/**
 * Which row is open, in the address: its number, when and by whom, so that a link finds it after newer rows have pushed
 * it away.
 */
interface Opened {
  readonly id: number;
  readonly at: string;
  readonly by: string;
}

export interface OpenedRow {
  readonly id: number | null;
  readonly row: LogRow | undefined;
  readonly error: unknown;
  readonly isSearching: boolean;
  readonly retry: () => unknown;
  open(row: LogRow): void;
  close(): void;
  /** Closes, and searches for this account alone. */
  only(username: string): void;
}

const keys = ['open', 'at', 'by'] as const;
/** The rows of one account at one moment among which a row that is not in the list is looked for. */
const searched = 100;

function openedOf(params: URLSearchParams): Opened | null {
  const [id, at, by] = keys.map((key) => params.get(key) ?? '');
  return /^[1-9]\d{0,14}$/.test(id ?? '') ? { id: Number(id), at: at ?? '', by: by ?? '' } : null;
}

/** The row that stands open beside the list: out of the list, else asked for by its moment and account. */
export function useOpened(kind: LogKind, shown: readonly LogRow[] | undefined): OpenedRow {
  const [params, set] = useAddress();
  const opened = openedOf(params);
  const listed = shown?.find(({ id }) => id === opened?.id);
  const at = new Date(opened?.at ?? '');
  const moment = Number.isNaN(at.getTime()) ? null : at.toISOString();
  const mayAsk = opened !== null && shown !== undefined && listed === undefined && moment !== null;
  const search = useLog(
    kind,
    opened?.by || undefined,
    {
      page: 0,
      size: searched,
      sort: 'time,desc',
      ...(moment === null ? {} : { 'time.greaterOrEqualThan': moment, 'time.lessOrEqualThan': moment }),
    },
    { enabled: mayAsk, keepPrevious: false },
  );
  const closed = { open: null, at: null, by: null };
  return {
    id: opened?.id ?? null,
    row: listed ?? (mayAsk ? search.page?.rows.find(({ id }) => id === opened.id) : undefined),
    error: mayAsk ? search.error : null,
    isSearching: opened !== null && (shown === undefined || (mayAsk && search.isPending)),
    retry: search.refetch,
    open: (row) => set({ open: String(row.id), at: row.time, by: row.username }),
    close: () => set(closed),
    only: (username) =>
      set({ ...closed, ...Object.fromEntries(filterKeys.map((key) => [key, null])), username, page: null }),
  };
}
