import dayjs from 'dayjs';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, download } from '../../api/index.ts';
import { toast, useTime } from '../../parts/index.ts';
import type { DayRange } from '../../parts/search/index.ts';
import { exportRoutes, type LogKind } from './log.ts';

/** The shortcuts of the specification: so many days through today (S2 section 9). */
const lengths = { week: 7, month: 30, quarter: 90 } as const;
const lastDays = (today: string, days: number): Required<DayRange> => ({ from: dayjs(today).subtract(days - 1, 'day').format('YYYY-MM-DD'), to: today });
export const quickRanges = (today: string) =>
  (Object.keys(lengths) as (keyof typeof lengths)[]).map((key) => ({ key, ...lastDays(today, lengths[key]) }));

/** How many days a range holds, both ends included; null while an end is missing. */
export const daysIn = ({ from, to }: DayRange): number | null => (from === undefined || to === undefined ? null : dayjs(to).diff(from, 'day') + 1);

export type ExportState = { name: 'idle' } | { name: 'running'; bytes: number } | { name: 'failed'; error: unknown };

/**
 * One export of the dialog. It goes on while another tab is in front; only stopping ends it early. A failure pops up nowhere:
 * the dialog that waited shows it (S2 section 7).
 */
export function useExport(kind: LogKind, onDone: () => void) {
  const { t } = useTranslation('logs');
  const today = useTime()(new Date(), 'date');
  const [chosen, setChosen] = useState<DayRange | null>(null);
  const [state, setState] = useState<ExportState>({ name: 'idle' });
  const work = useRef<AbortController | null>(null);
  const range: DayRange = chosen ?? lastDays(today, lengths.week);

  const run = async ({ from, to }: Required<DayRange>): Promise<void> => {
    const control = new AbortController();
    work.current = control;
    setState({ name: 'running', bytes: 0 });
    try {
      const name = await download(exportRoutes[kind], { body: { beginTime: from, endTime: to } }, `${kind}-log_${from}_${to}.xlsx`, {
        signal: control.signal, quiet: true, received: (bytes) => setState({ name: 'running', bytes }),
      });
      toast.done(t('export.done', { name }));
      setState({ name: 'idle' });
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'aborted') {
        toast.note(t('export.stopped'));
        setState({ name: 'idle' });
      } else setState({ name: 'failed', error });
    } finally {
      work.current = null;
    }
  };

  return {
    range, today, state,
    choose: ({ from, to }: DayRange): void => {
      setChosen({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
      setState({ name: 'idle' });
    },
    start: (): void => { if (range.from !== undefined && range.to !== undefined) void run({ from: range.from, to: range.to }); },
    stop: (): void => work.current?.abort(),
    /** The next time the dialog begins anew. */
    forget: (): void => { setChosen(null); setState({ name: 'idle' }); },
  };
}
