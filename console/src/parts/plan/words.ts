import { useTranslation } from 'react-i18next';
import type { Anchor, Programme, Switching } from '../../../../catalogue/lighting/plan/programme.ts';
import { formatNumber, formatPercent } from '../../locales/format-number.ts';
import { isClock } from '../../../../catalogue/lighting/plan/clock.ts';
import { relativeOf, type HandleName, type RelativeAnchor } from './model.ts';

/** `from` begins something ("from 10 min before sunset"), `at` places it ("10 min before sunset"). */
type Form = 'from' | 'at';
type Side = 'before' | 'exactly' | 'after';

/** What stands on a handle: the word for on or off, the number of a period. */
export function useMarks(): (name: HandleName) => string {
  const { t, i18n } = useTranslation('plan');
  return (name) => (typeof name === 'number' ? formatNumber(name + 1, i18n.language, 0) : t(`mark.${name}`));
}

/** An anchor in words; "—" while its time is not entered. */
export function useWhen(): (anchor: Anchor, form: Form) => string {
  const { t, i18n } = useTranslation('plan');
  return ({ at, offsetMinutes }, form) => {
    const relative: RelativeAnchor | null = relativeOf(at);
    if (relative === null) return isClock(at) ? t(`${form}.clock`, { time: at }) : '—';
    const offset = Number.isFinite(offsetMinutes) ? offsetMinutes : 0;
    const side: Side = offset < 0 ? 'before' : offset > 0 ? 'after' : 'exactly';
    return t(`${form}.${relative}.${side}`, { n: formatNumber(Math.abs(offset), i18n.language, 0) });
  };
}

/** A programme as clauses: what happens from when on, in the order of the list. */
export function useClauses(): (programme: Programme) => string[] {
  const { t, i18n } = useTranslation('plan');
  const when = useWhen();
  const bounded = (clause: string, { notBefore, notAfter, light }: Switching): string => {
    const within =
      notBefore !== null && notAfter !== null
        ? t('clause.between', { clause, from: notBefore, to: notAfter })
        : notBefore !== null
          ? t('clause.notBefore', { clause, time: notBefore })
          : notAfter !== null
            ? t('clause.notAfter', { clause, time: notAfter })
            : clause;
    return light === null
      ? within
      : t('clause.light', { clause: within, lux: light.lux, before: light.beforeMinutes, after: light.afterMinutes });
  };
  return (programme) => [
    ...programme.periods.map((period) => {
      const { start, pattern } = period;
      const from = start === 'on' ? when(programme.on, 'from') : when(start, 'from');
      const level = Number.isFinite(period.level) ? formatPercent(period.level, i18n.language) : '—';
      const clause = period.level === 0 ? t('clause.dark', { from }) : t(`clause.${pattern}`, { from, level });
      return start === 'on' ? bounded(clause, programme.on) : clause;
    }),
    bounded(t('clause.off', { at: when(programme.off, 'at') }), programme.off),
  ];
}

/** Clauses as one sentence. */
export function useSentence(): (programme: Programme) => string {
  const { t } = useTranslation('plan');
  const clauses = useClauses();
  return (programme) => {
    const [first = '', ...more] = clauses(programme);
    return t('sentence.end', { text: more.reduce((text, next) => t('sentence.and', { text, next }), first) });
  };
}
