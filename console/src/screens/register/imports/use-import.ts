import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { listDevices } from '../../../../../contract/register/devices.ts';
import { listRecords } from '../../../../../contract/register/records.ts';
import {
  applyImport,
  checkImport,
  chooseSheet,
  chooseText,
  getImport,
  listImportRows,
  listImports,
  undoImport,
} from '../../../../../contract/register/imports.ts';
import { cancelTask } from '../../../../../contract/desk/tasks.ts';
import type { BodyOf } from '../../../../../contract/route.ts';
import { callKey, useCall, useLive, useSend } from '../../../api/index.ts';
import { noteBegun, takeBegun } from '../../../parts/tasks/index.ts';
import { isBusy, type Import, type Plan, type StepName } from './plan.ts';

/** Where the live line is down, what is under way is still asked about. */
const ASK_EVERY_MS = 3_000;
const quiet = { quiet: true };
const steps: readonly string[] = ['columns', 'check', 'write'] satisfies StepName[];

/** One import, fresh while it is at work: told by the live topic, and asked about besides. */
export function useImport(id: number) {
  const client = useQueryClient();
  const answer = useCall(getImport, { params: { id } }, { ...quiet, staleTime: 0 });
  const { data, refetch } = answer;
  const busy = data !== undefined && isBusy(data);
  useLive(busy ? 'tasks' : null, (message) => {
    if (message.type !== 'task' || message.id === data?.task?.id) void refetch();
  });
  useEffect(() => {
    if (!busy) return undefined;
    const timer = setInterval(() => void refetch(), ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [busy, refetch]);
  useToldWhenLeft(id, data);
  // What was shown before a step ended is old: rows, the list, and the register itself.
  const ended = data?.task && !busy ? data.task.id : null;
  const renew = useEffectEvent(() => {
    const old =
      data?.task?.kind === 'import.check'
        ? [listImportRows, listImports]
        : [listImportRows, listImports, listDevices, listRecords];
    for (const route of old) void client.invalidateQueries({ queryKey: callKey(route) });
  });
  useEffect(() => {
    if (ended !== null) renew();
  }, [ended]);
  return answer;
}

/** Somebody who leaves what is at work is told when it ends; somebody who watches it sees it. */
function useToldWhenLeft(id: number, one: Import | undefined): void {
  const client = useQueryClient();
  const watched = one && isBusy(one) ? one.task?.id : undefined;
  useEffect(() => {
    if (watched === undefined) return undefined;
    takeBegun(watched);
    return () => {
      const now = client.getQueryData<Import>(callKey(getImport, { params: { id } }));
      if (now && isBusy(now) && now.task?.id === watched) noteBegun(watched);
    };
  }, [client, id, watched]);
}

/** What can be done with an import; every answer is its new state. `refusal` is what was refused last. */
export function useSteps(id: number) {
  const client = useQueryClient();
  const params = { id };
  const onSuccess = (one: Import): void => void client.setQueryData(callKey(getImport, { params }), one);
  const check = useSend(checkImport, [listImports], quiet);
  const sheet = useSend(chooseSheet, [listImports], quiet);
  const text = useSend(chooseText, [listImports], quiet);
  const apply = useSend(applyImport, [listImports], quiet);
  const undo = useSend(undoImport, [listImports], quiet);
  const stop = useSend(cancelTask, [getImport], quiet);
  const sends = [check, sheet, text, apply, undo, stop];
  return {
    refusal: sends.map((send) => send.error).find((error) => error !== null) ?? null,
    pending: sends.some((send) => send.isPending),
    check: (plan: Plan, then?: () => void): void =>
      check.mutate(
        { params, body: plan },
        {
          onSuccess: (one) => {
            onSuccess(one);
            then?.();
          },
        },
      ),
    sheet: (name: string, then: () => void): void =>
      sheet.mutate(
        { params, body: { sheet: name } },
        {
          onSuccess: (one) => {
            onSuccess(one);
            then();
          },
        },
      ),
    text: (body: BodyOf<typeof chooseText>, then: () => void): void =>
      text.mutate(
        { params, body },
        {
          onSuccess: (one) => {
            onSuccess(one);
            then();
          },
        },
      ),
    apply: (rows: 'valid' | 'all'): void => apply.mutate({ params, body: { rows } }, { onSuccess }),
    undo: (then: () => void): void =>
      undo.mutate(
        { params },
        {
          onSuccess: (one) => {
            onSuccess(one);
            then();
          },
        },
      ),
    stop: (taskId: number): void => stop.mutate({ params: { id: taskId } }),
    forget: (): void => sends.forEach((send) => send.reset()),
  };
}
export type Steps = ReturnType<typeof useSteps>;

export interface ImportAddress {
  /** The import that is open. */
  readonly importId: number | null;
  /** A file is to be chosen: for this family, or '' for one to be chosen too; null: no. */
  readonly fresh: string | null;
  readonly step: StepName | null;
  list(): void;
  start(family?: string): void;
  show(importId: number, step?: StepName): void;
}

/**
 * Which import and which of its steps is shown, kept in the address: a reload goes on where it was, "back" goes a step
 * back.
 */
export function useImportAddress(): ImportAddress {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const id = params.get('import');
    const step = params.get('step');
    const fresh = params.get('new');
    const put = (values: Record<string, string | undefined>): void =>
      setParams((before) => {
        const next = new URLSearchParams(before);
        for (const key of ['import', 'new', 'step']) next.delete(key);
        for (const [key, value] of Object.entries(values)) if (value !== undefined) next.set(key, value);
        return next;
      });
    return {
      importId: id !== null && /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null,
      fresh: fresh === 'any' ? '' : fresh,
      step: step !== null && steps.includes(step) ? (step as StepName) : null,
      list: () => put({}),
      start: (family) => put({ new: family === undefined || family === '' ? 'any' : family }),
      show: (importId, at) => put({ import: String(importId), step: at }),
    };
  }, [params, setParams]);
}
