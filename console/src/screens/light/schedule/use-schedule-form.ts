import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Problem } from '../../../../../catalogue/fields/kind.ts';
import { scheduleProblems, type Schedule } from '../../../../../catalogue/lighting/plan/schedule.ts';
import { listPublications } from '../../../../../contract/light/publications.ts';
import { createSchedule, getLampSchedule, previewSchedule } from '../../../../../contract/light/schedules.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useSend } from '../../../api/index.ts';
import { useTab, useUnsaved } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import { showFirstProblem } from '../../../parts/form/index.ts';
import { formatNumber, toast } from '../../../parts/index.ts';
import { fitted } from './fit.ts';

export type Scope = BodyOf<typeof previewSchedule>['scope'];
type Preview = ReplyOf<typeof previewSchedule>;

/** Settings as they are put together: first what they would do is looked at, then they are sent. */
export function useScheduleForm(initial: Schedule, scope: Scope, form: RefObject<HTMLFormElement | null>) {
  const { t, i18n } = useTranslation('schedule');
  const names = useNames();
  const tab = useTab();
  const [entered, setEntered] = useState(initial);
  const [floorReason, setFloorReason] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  /** After a look it was tried to send what was looked at. */
  const [sent, setSent] = useState(false);
  const [touched, setTouched] = useState(false);
  /** What was looked at; other entries have to be looked at again. */
  const [seen, setSeen] = useState<{ readonly of: string; readonly preview: Preview } | null>(null);
  const look = useSend(previewSchedule, [], { quiet: true });
  const create = useSend(createSchedule, [listPublications, getLampSchedule], { quiet: true });
  const requests = useRequestIds();
  const busy = look.isPending || create.isPending;
  useUnsaved(touched && !create.isPending);

  const schedule = fitted(entered);
  const wanted = { scope, schedule, ...(floorReason.trim() === '' ? {} : { floorReason: floorReason.trim() }) };
  const asked = JSON.stringify(wanted);
  const preview = seen?.of === asked ? seen.preview : null;
  const errors = preview?.findings.filter(({ severity }) => severity === 'error') ?? [];
  const needsReason = preview?.needsSecond === true && reason.trim() === '';
  const found: readonly Problem[] = [
    ...scheduleProblems(schedule).map((one) => ({ ...one, field: `schedule.${one.field}` })),
    ...(Object.keys(scope).length === 0 ? [{ field: 'scope', rule: 'noRecord' } as const] : []),
  ];
  const own: Readonly<Record<string, string>> = Object.fromEntries(
    found.map(({ field, rule, params }) => [field, names.rule(rule, params)]),
  );
  const failure = create.error ?? look.error;
  const told = failure instanceof ApiError ? failure.fieldErrors : {};
  const problems: Readonly<Record<string, string>> = {
    ...(tried ? own : {}),
    ...(sent && needsReason ? { reason: names.rule('required') } : {}),
    ...told,
  };

  const change =
    <T>(put: (value: T) => void) =>
    (value: T): void => {
      put(value);
      setTouched(true);
      look.reset();
      create.reset();
    };

  async function send(): Promise<void> {
    if (busy) return;
    setTried(true);
    if (Object.keys(own).length > 0) return showFirstProblem(form.current);
    if (preview === null) {
      create.reset();
      const answer = await look.mutateAsync({ body: wanted }).catch(() => null);
      setSent(false);
      if (answer) setSeen({ of: asked, preview: answer });
      else showFirstProblem(form.current);
      return;
    }
    if (errors.length > 0) return;
    setSent(true);
    if (needsReason) return showFirstProblem(form.current);
    const body = {
      ...wanted,
      reason: reason.trim() === '' ? null : reason.trim(),
      acceptedFindings: [...new Set(preview.findings.map(({ code }) => code))],
    };
    const made = await create.mutateAsync({ body: { ...body, requestId: requests.of(body) } }).catch(() => null);
    if (!made) return showFirstProblem(form.current);
    requests.answered(body);
    toast.done(
      t(made.phase === 'awaitingApproval' ? 'done.waits' : 'done.begun', {
        n: formatNumber(made.total, i18n.language, 0),
      }),
    );
    tab.close(`/lamp/publication/${made.id}`);
  }

  return {
    /** All that was entered, also what the mode does not have. */
    entered,
    setEntered: change(setEntered),
    /** What the mode has of it, which is sent. */
    schedule,
    floorReason,
    setFloorReason: change(setFloorReason),
    reason,
    setReason: change(setReason),
    /** Nothing stands against the settings themselves. */
    isSound: found.every(({ field }) => field === 'scope'),
    problems,
    preview,
    errors,
    failure,
    busy,
    send,
  };
}
export type ScheduleForm = ReturnType<typeof useScheduleForm>;
