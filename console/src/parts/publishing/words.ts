import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { addDays } from '../../../../catalogue/lighting/zone.ts';
import {
  publicationBounds,
  type PublicationFinding,
  type PublicationItem,
  type PublicationSummary,
} from '../../../../contract/light/publications.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { useDayNames } from '../plan/days.ts';
import { formatList, formatNumber, formatPercent, useTime, type MarkState } from '../index.ts';

export type Publication = Static<typeof PublicationSummary>;
export type PublicationLamp = Static<typeof PublicationItem>;
export type PublicationLampState = PublicationLamp['state'];
export type Finding = Static<typeof PublicationFinding>;
export type Phase = Publication['phase'];
type Version = NonNullable<Publication['scheme']>;

export const phaseMarks: Record<Phase, MarkState> = {
  awaitingApproval: 'info',
  tellingCanary: 'partial',
  judging: 'partial',
  tellingAll: 'partial',
  proving: 'partial',
  halted: 'alarm',
  reverting: 'degraded',
  done: 'on',
  reverted: 'offline',
  cancelled: 'offline',
  refused: 'offline',
  lapsed: 'offline',
};

/** What was found that has a sentence of its own; the rest is named, with its period and nights. */
const sentences = [
  'belowFloor',
  'floorException',
  'neverDark',
  'nightWithoutLight',
  'periodNeverReached',
  'unknownHolidays',
  'messageTooLarge',
  'byTable',
  'loopOff',
  'darker',
  'withdrawn',
] as const satisfies readonly Finding['code'][];
/** Of which more is said: what to change, or to make sure of. */
const advised = [
  ...sentences,
  'darkNeighbours',
  'sameInstant',
  'leapDay',
  'unknownDays',
  'farFromTwilight',
] as const satisfies readonly Finding['code'][];

const states = ['told', 'reported', 'proven', 'diverged', 'away'] as const;
/** Lamps that were told something: those that a return would reach. */
export const toldOf = (of: Readonly<Record<string, number>>): number =>
  states.reduce((sum, state) => sum + (of[state] ?? 0), 0);

/** A publication in words of the language in force: what it is, to whom it goes, why a lamp stands where it does. */
export function usePublicationWords() {
  const { t, i18n } = useTranslation('publishing');
  const names = useNames();
  const time = useTime();
  const days = useDayNames();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const percent = (value: number): string => formatPercent(value, i18n.language, Number.isInteger(value) ? 0 : 1);
  const version = ({ name, number: n }: Pick<Version, 'name' | 'number'>): string =>
    t('version', { name, n: number(n) });
  const title = ({ scheme, template, reverts }: Pick<Publication, 'scheme' | 'template' | 'reverts'>): string =>
    reverts !== null
      ? t('title.revert', { id: reverts })
      : [
          scheme && (scheme.schedule ? t('title.schedule', { what: scheme.name }) : version(scheme)),
          template && t('title.template', { what: version(template) }),
        ]
          .filter((text) => text !== null)
          .join(' + ');
  const scope = ({ scope: asked, total }: Pick<Publication, 'scope' | 'total'>): string => {
    const count = (key: 'roads' | 'groups' | 'controllers', ids: readonly number[] | undefined): string[] =>
      ids === undefined ? [] : [t(`scope.${key}`, { n: number(ids.length) })];
    const where =
      asked.names === undefined || asked.names.length === 0
        ? [
            ...count('roads', asked.roadIds),
            ...count('groups', asked.groupIds),
            ...count('controllers', asked.controllerIds),
            ...(asked.workAreaId === undefined ? [] : [t('scope.area')]),
          ]
        : asked.names;
    const parts = [
      ...where,
      ...(asked.devices === undefined ? [] : [t('scope.devices', { n: number(asked.devices) })]),
    ];
    if (where.length === 0 && asked.devices === total) return formatList(parts, i18n.language);
    return parts.length === 0
      ? t('lamps', { n: number(total) })
      : `${formatList(parts, i18n.language)} · ${t('lamps', { n: number(total) })}`;
  };
  /** What the publication does now, with its figures. */
  const doing = ({ phase, canary, judged, states: of, total, effectiveFrom }: Publication): string => {
    const told = addDays(effectiveFrom, -publicationBounds.toldAhead);
    if ((phase === 'tellingCanary' || phase === 'tellingAll') && told > new Date().toISOString().slice(0, 10))
      return t('doing.later', { day: days.day(told) });
    if (phase === 'tellingCanary' || (phase === 'judging' && judged?.passed !== true))
      return t(`doing.${phase}`, { n: number(canary?.count ?? total) });
    if (phase === 'judging') return t('doing.passed');
    if (phase === 'proving' || phase === 'done')
      return t(`doing.${phase}`, { n: number(of['proven'] ?? 0), total: number(total) });
    return t(`doing.${phase}`);
  };
  const proof = ({ proof: seen }: PublicationLamp): string | null => {
    if (seen === null) return null;
    const { stepAt, expected, observed, readingAt } = seen;
    const step = time(stepAt, 'dayTime');
    return observed === null
      ? t('why.noReading', { step, expected: percent(expected) })
      : t('why.proof', {
          step,
          expected: percent(expected),
          observed: percent(observed),
          at: time(readingAt, 'minute'),
        });
  };
  const standing = (lamp: PublicationLamp, phase: Phase): string => {
    const { state, toldAt, reportedAt, reportedHash, planHash, heardAt, reason, proof: seen } = lamp;
    const shown = proof(lamp);
    switch (state) {
      case 'waiting':
        return t(phase === 'awaitingApproval' ? 'why.approval' : phase === 'halted' ? 'why.halted' : 'why.canary');
      case 'pending':
        return t(phase === 'halted' ? 'why.halted' : 'why.pending');
      case 'told':
        return shown ?? t('why.told', { at: time(toldAt, 'dayTime') });
      case 'reported':
        return shown ?? t('why.reported', { at: time(reportedAt, 'dayTime') });
      case 'proven':
        return shown ?? t('why.proven', { at: time(lamp.provenAt, 'dayTime') });
      case 'diverged':
        if (reason === 'otherPlan')
          return reportedHash !== null && reportedHash !== planHash
            ? `${t('why.otherPlan')} · ${t('why.hash', { reported: reportedHash, wanted: planHash ?? '—' })}`
            : t('why.otherPlan');
        if (shown !== null)
          return seen !== null && seen.misses > 1 ? `${shown} ${t('why.misses', { n: number(seen.misses) })}` : shown;
        return reportedHash !== null && reportedHash !== planHash
          ? t('why.hash', { reported: reportedHash, wanted: planHash ?? '—' })
          : t('why.diverged');
      case 'away':
        return heardAt === null ? t('why.never') : t('why.away', { at: time(heardAt, 'dayTime') });
      case 'cannot':
        return t(
          reason === 'disabled' || reason === 'noPlace' || reason === 'unreadable' || reason === 'capability'
            ? `why.${reason}`
            : 'why.cannot',
        );
      default:
        return t(reason === 'stopped' || reason === 'reverted' ? `why.${reason}` : 'why.superseded');
    }
  };
  /** Why a lamp stands where it does. */
  const why = (lamp: PublicationLamp, phase: Phase): string =>
    lamp.reason === 'clock' || lamp.reason === 'messageSize'
      ? `${standing(lamp, phase)} ${t(`why.${lamp.reason}`)}`
      : standing(lamp, phase);
  const country = (code: string): string =>
    code === ''
      ? t('finding.someCountry')
      : (new Intl.DisplayNames([i18n.language === 'en-XA' ? 'en-US' : i18n.language], { type: 'region' }).of(code) ??
        code);
  /** What was found, and for what blocks what to change. */
  const finding = ({ code, params }: Finding): { readonly text: string; readonly fix: string } => {
    const of = (name: string): string => {
      const value = params[name];
      return typeof value === 'number' ? number(value) : (value ?? '—');
    };
    const value = (name: string): number => Number(params[name] ?? 0);
    const words = {
      roadClass: names.option('roadClass', String(params['roadClass'] ?? '')),
      level: percent(value('level')),
      floor: percent(value('floor')),
      programme: of('programme'),
      period: number(value('period') + 1),
      reason: of('reason'),
      nights: of('nights'),
      lamps: of('lamps'),
      code: of('code'),
      bytes: of('bytes'),
      most: of('most'),
      country: country(String(params['country'] ?? '')),
      year: String(params['year'] ?? ''),
    };
    const sentence = sentences.find((one) => one === code);
    const advice = advised.find((one) => one === code);
    const about = [
      params['programme'] === undefined ? null : of('programme'),
      params['rule'] === undefined ? null : of('rule'),
      params['period'] === undefined ? null : t('finding.period', { n: words.period }),
      params['nights'] === undefined ? null : t('finding.nights', { n: words.nights }),
      params['first'] === undefined ? null : t('finding.first', { day: days.day(String(params['first'])) }),
    ].filter((part) => part !== null);
    return {
      text: sentence ? t(`finding.${sentence}`, words) : [names.option('planFinding', code), ...about].join(' · '),
      fix: advice ? t(`fix.${advice}`, advice === 'darker' ? publicationBounds.compared : words) : '',
    };
  };
  return {
    number,
    percent,
    version,
    title,
    scope,
    doing,
    why,
    finding,
    marks: { missed: t('phase.missed'), decision: t('phase.decision') },
    phase: (phase: Phase): string => t(`phase.${phase}`),
    state: (state: PublicationLampState): string => t(`state.${state}`),
  };
}
