import { useTranslation } from 'react-i18next';
import type { SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { formatList } from '../../../parts/index.ts';
import { useDayNames } from '../../../parts/plan/days.ts';
import { useSentence } from '../../../parts/plan/words.ts';
import type { PreviewDay } from './CalendarTab.tsx';
import { useRuleWords } from './rule-words.ts';
import styles from './scheme.module.css';

/** What happens on one day: the programme, the rule that chose it, and the rules that hold too but come later. */
export function DayAnswer({ answer, content }: { answer: PreviewDay; content: SchemeContent }) {
  const { t, i18n } = useTranslation('scheme');
  const names = useDayNames();
  const sentence = useSentence();
  const words = useRuleWords();
  const { day, programme, rule, others, holidays, lunar } = answer;
  const one = content.programmes.find(({ key }) => key === programme);
  const winner = rule === null ? undefined : content.calendar.rules[rule];
  const lost = others.flatMap((at) => content.calendar.rules[at] ?? []);
  return (
    <div className={styles.answer} role="status">
      <b>{t('answer.title', { day: names.long(day) })}</b>
      <p>
        {winner === undefined || rule === null
          ? t('answer.default', { programme: one?.name ?? programme })
          : t('answer.rule', {
              programme: one?.name ?? programme,
              n: rule + 1,
              label: winner.label,
              when: words(winner),
            })}
      </p>
      {one === undefined ? null : <p className={styles.quiet}>{sentence(one.programme)}</p>}
      {lost.length === 0 ? null : (
        <p className={styles.quiet}>
          {t('answer.lost', {
            rules: formatList(
              lost.map(({ label }) => label),
              i18n.language,
            ),
          })}
        </p>
      )}
      {holidays.length === 0 ? null : (
        <p className={styles.quiet}>
          {formatList(
            holidays.map((holiday) =>
              t('when.holidayNamed', { class: t(`holiday.${holiday.class}`), name: holiday.name }),
            ),
            i18n.language,
          )}
        </p>
      )}
      {lunar === null ? null : (
        <p className={styles.quiet}>
          {lunar.leap
            ? t('when.leap', { date: t('when.lunar', { month: lunar.month, day: lunar.day }) })
            : t('when.lunar', { month: lunar.month, day: lunar.day })}
        </p>
      )}
    </div>
  );
}
