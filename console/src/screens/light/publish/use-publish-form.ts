import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { canaryBounds, criteriaDefaults } from '../../../../../contract/light/first-part.ts';
import {
  createPublication,
  getPublication,
  listPublications,
  previewPublication,
} from '../../../../../contract/light/publications.ts';
import { listSchemes, listSchemeVersions } from '../../../../../contract/light/schemes.ts';
import { listTemplates } from '../../../../../contract/light/templates.ts';
import type { BodyOf, ReplyOf } from '../../../../../contract/route.ts';
import { ApiError, useCall, useSend } from '../../../api/index.ts';
import { useTab, useUnsaved } from '../../../frame/index.ts';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import { toast } from '../../../parts/index.ts';
import { showFirstProblem, useRested } from '../../../parts/form/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import type { Finding } from '../../../parts/publishing/words.ts';

type Wanted = BodyOf<typeof previewPublication>;
type Body = BodyOf<typeof createPublication>;
export type Preview = ReplyOf<typeof previewPublication>;

/** Which version of what; `number` null: the newest. */
export interface Chosen {
  readonly id: number | null;
  readonly number: number | null;
}
export interface Scope {
  readonly roadIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly controllerIds: readonly number[];
  readonly workAreaId: number | null;
  readonly deviceIds: readonly number[];
}
/** What another page begins it with: lamps, and a first lighting day. */
type HandOver = Partial<Scope> & { readonly day?: string };
export interface Rollout {
  /** Null: all lamps at once. */
  readonly canary: { readonly by: 'share' | 'count'; readonly amount: number | null } | null;
  readonly goOn: boolean;
  readonly autoRevert: boolean;
  readonly criteria: Readonly<Record<keyof typeof criteriaDefaults, number | null>>;
}
export const usualCanary = { share: 5, count: 20 } as const;

const wholeNumber = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
/** What a tick is set to: another number of lamps is another warning. */
export const findingKey = ({ code, params, lamps }: Finding): string =>
  `${code} ${JSON.stringify(params)} ${lamps?.count ?? ''}`;
/** Of the same thing, with however many lamps. */
export const sameFinding = (one: Finding, other: Finding): boolean => {
  const about = ({ code, params }: Finding): string => `${code} ${JSON.stringify({ ...params, lamps: 0 })}`;
  return about(one) === about(other);
};

const scopeBody = ({ workAreaId, ...ids }: Scope): Wanted['scope'] => ({
  ...Object.fromEntries(Object.entries(ids).flatMap(([name, some]) => (some.length === 0 ? [] : [[name, [...some]]]))),
  ...(workAreaId === null ? {} : { workAreaId }),
});

/** What is being put together before it is published: what would happen is asked whenever it changes. */
export function usePublishForm(form: RefObject<HTMLFormElement | null>) {
  const { t } = useTranslation('publish');
  const tab = useTab<HandOver>();
  const [params] = useAddress();
  const [scheme, setScheme] = useState<Chosen>(() => ({
    id: wholeNumber(params.get('scheme')),
    number: params.get('scheme') === null ? null : wholeNumber(params.get('number')),
  }));
  const [template, setTemplate] = useState<Chosen>(() => ({
    id: wholeNumber(params.get('template')),
    number: params.get('scheme') === null ? wholeNumber(params.get('number')) : null,
  }));
  const [scope, setScope] = useState<Scope>({
    roadIds: tab.handOver?.roadIds ?? [],
    groupIds: tab.handOver?.groupIds ?? [],
    controllerIds: tab.handOver?.controllerIds ?? [],
    workAreaId: tab.handOver?.workAreaId ?? null,
    deviceIds: tab.handOver?.deviceIds ?? [],
  });
  const [rollout, setRollout] = useState<Rollout>({
    canary: { by: 'share', amount: usualCanary.share },
    goOn: false,
    autoRevert: true,
    criteria: criteriaDefaults,
  });
  /** Null: as soon as possible. */
  const [day, setDay] = useState<string | null>(tab.handOver?.day ?? null);
  const [reason, setReason] = useState('');
  const [accepted, setAccepted] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [told, setTold] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [touched, setTouched] = useState(false);
  const requests = useRequestIds();

  const wanted: Wanted = {
    ...(scheme.id === null ? {} : { schemeId: scheme.id }),
    ...(scheme.id === null || scheme.number === null ? {} : { schemeNumber: scheme.number }),
    ...(template.id === null ? {} : { templateId: template.id }),
    ...(template.id === null || template.number === null ? {} : { templateNumber: template.number }),
    scope: scopeBody(scope),
    ...(day === null ? {} : { effectiveFrom: day }),
  };
  const isWhole = (scheme.id !== null || template.id !== null) && Object.keys(wanted.scope).length > 0;
  const asked = JSON.stringify(wanted);
  const rested = useRested(asked);
  const preview = useCall(
    previewPublication,
    { body: JSON.parse(rested) as Wanted },
    { enabled: isWhole && rested === asked, keepPrevious: true, staleTime: 0 },
  );
  // While the next answer is on its way the last one is shown, but not published by.
  const current = isWhole && rested === asked && !preview.isPlaceholderData ? preview : null;
  const found = current?.data;
  const [earliest, setEarliest] = useState<string | null>(null);
  if (day === null && found !== undefined && found.effectiveFrom !== earliest) setEarliest(found.effectiveFrom);

  const errors = found?.findings.filter(({ severity }) => severity === 'error') ?? [];
  const warnings = found?.findings.filter(({ severity }) => severity === 'warning') ?? [];
  const notes = found?.findings.filter(({ severity }) => severity === 'note') ?? [];
  const unread = warnings.filter((one) => !accepted.has(findingKey(one)));
  const { canary, criteria } = rollout;
  const most = canary === null ? 0 : canaryBounds[canary.by];
  const own: Readonly<Record<string, string>> = {
    ...(scheme.id === null && template.id === null ? { schemeId: t('problem.what') } : {}),
    ...(Object.keys(wanted.scope).length === 0 ? { scope: t('problem.scope') } : {}),
    ...(canary !== null && (canary.amount === null || canary.amount < 1 || canary.amount > most)
      ? { 'canary.count': t('problem.range', { min: 1, max: most }) }
      : {}),
    ...Object.fromEntries(
      Object.entries(criteria).flatMap(([name, value]) =>
        canary !== null && (value === null || value < 0 || value > 100)
          ? [[`criteria.${name}`, t('problem.range', { min: 0, max: 100 })]]
          : [],
      ),
    ),
    ...(found?.needsSecond === true && reason.trim() === '' ? { reason: t('problem.reason') } : {}),
    ...(unread.length > 0 ? { acceptedFindings: t('problem.findings', { n: unread.length }) } : {}),
  };
  const asking = current?.error instanceof ApiError ? current.error.fieldErrors : {};
  const problems: Readonly<Record<string, string>> = { ...asking, ...(tried ? own : {}), ...told };
  useUnsaved(touched && !busy);

  const change = <T>(put: (value: T) => void) => {
    return (value: T): void => {
      put(value);
      setTold({});
      setFailure(null);
      setTouched(true);
    };
  };
  const send = useSend(
    createPublication,
    [listPublications, getPublication, listSchemes, listSchemeVersions, listTemplates],
    {
      quiet: true,
    },
  );

  async function publish(): Promise<void> {
    if (busy) return;
    setTried(true);
    setTold({});
    setFailure(null);
    if (Object.keys(own).length > 0 || Object.keys(asking).length > 0) return showFirstProblem(form.current);
    if (found === undefined || errors.length > 0) return;
    setBusy(true);
    const body: Body = {
      ...wanted,
      // The day that was shown, also when the night begins meanwhile.
      effectiveFrom: found.effectiveFrom,
      canary: canary === null ? null : { [canary.by]: canary.amount ?? 0 },
      ...(canary === null ? {} : { goOn: rollout.goOn, criteria: { ...criteriaDefaults, ...numbers(criteria) } }),
      autoRevert: rollout.autoRevert,
      reason: reason.trim() === '' ? null : reason.trim(),
      acceptedFindings: [...new Set(warnings.map(({ code }) => code))],
    };
    try {
      const made = await send.mutateAsync({ body: { ...body, requestId: requests.of(body) } });
      requests.answered(body);
      toast.done(t(made.phase === 'awaitingApproval' ? 'done.waiting' : 'done.begun', { n: made.total }));
      tab.close(`/lamp/publication/${made.id}`);
    } catch (cause) {
      setBusy(false);
      if (!(cause instanceof ApiError)) throw cause;
      setTold(cause.fieldErrors);
      setFailure(cause);
      // What was found meanwhile is shown, and can be read.
      void preview.refetch();
      showFirstProblem(form.current);
    }
  }
  return {
    scheme,
    setScheme: change(setScheme),
    template,
    setTemplate: change(setTemplate),
    scope,
    setScope: change(setScope),
    rollout,
    setRollout: change(setRollout),
    day,
    setDay: change(setDay),
    earliest,
    reason,
    setReason: change(setReason),
    accepted,
    setAccepted: change(setAccepted),
    preview,
    isWhole,
    /** The answer is of what stands in the form. */
    found,
    shown: isWhole ? (found ?? preview.data) : undefined,
    refused: current?.error ?? null,
    errors,
    warnings,
    notes,
    wanted,
    scopeOf: wanted.scope,
    problems,
    failure,
    busy,
    publish,
  };
}
export type PublishForm = ReturnType<typeof usePublishForm>;

const numbers = (criteria: Rollout['criteria']): Partial<Record<keyof typeof criteriaDefaults, number>> =>
  Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== null));
