import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { callKey } from '../../api/index.ts';
import { useUnsaved } from '../../frame/index.ts';
import { runBatch, type Batch, type BatchAction, type ListRow, type RowResult } from './batch.ts';

export interface Run<R> {
  readonly state: 'before' | 'running' | 'ended';
  readonly of: number;
  readonly done: readonly R[];
  readonly failed: readonly RowResult<R>[];
  /** Not begun, because it was stopped. */
  readonly left: readonly R[];
}

/**
 * Runs an action over rows, keeps the outcome of each, asks the lists anew at the end; runs on when the page is left.
 */
export function useRun<R extends ListRow>(
  batch: Batch<R>,
  action: BatchAction<R>,
  onDone: (rows: readonly R[]) => void,
) {
  const client = useQueryClient();
  const [run, setRun] = useState<Run<R>>({ state: 'before', of: 0, done: [], failed: [], left: [] });
  const stop = useRef<AbortController | null>(null);
  // Closing the tab asks: nobody would see how it ended.
  useUnsaved(run.state === 'running');
  const start = async (rows: readonly R[]): Promise<void> => {
    const stopper = new AbortController();
    stop.current = stopper;
    const done: R[] = [];
    const failed: RowResult<R>[] = [];
    const show = (state: Run<R>['state'], left: readonly R[] = []): void =>
      setRun({ state, of: rows.length, done: [...done], failed: [...failed], left });
    show('running');
    const left = await runBatch(
      rows,
      action.run,
      (result) => {
        if ('error' in result) failed.push(result);
        else done.push(result.row);
        show('running');
      },
      stopper.signal,
    );
    onDone(done);
    await Promise.all(batch.refreshes.map((route) => client.invalidateQueries({ queryKey: callKey(route) })));
    show('ended', left);
  };
  return { run, start, stop: () => stop.current?.abort() };
}
