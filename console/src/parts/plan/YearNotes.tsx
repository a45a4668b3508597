import { useTranslation } from 'react-i18next';
import type { Programme } from '../../../../catalogue/lighting/plan/programme.ts';
import type { Day } from '../../../../catalogue/lighting/zone.ts';
import { Icon } from '../icons/Icon.tsx';
import { useDayNames } from './days.ts';
import { spansOf, type YearNight } from './model.ts';
import { useMarks, useWhen } from './words.ts';
import styles from './plan.module.css';

/** What the year makes of the programme, in words: when a period is not used, and when there is no light at all. */
export function YearNotes({
  programme,
  nights,
  onDay,
}: {
  programme: Programme;
  nights: readonly YearNight[];
  onDay: (day: Day) => void;
}) {
  const { t } = useTranslation('plan');
  const names = useDayNames();
  const markOf = useMarks();
  const when = useWhen();
  const first = nights[0]?.scene.day;
  const last = nights.at(-1)?.scene.day;
  const notes = [
    ...programme.periods.flatMap((period, index) =>
      spansOf(nights, ({ unused }) => unused.has(index)).map((span) => ({
        span,
        what: t('year.period', {
          n: markOf(index),
          when: when(period.start === 'on' ? programme.on : period.start, 'at'),
        }),
      })),
    ),
    ...(['neverDark', 'polarDay', 'polarNight'] as const).flatMap((code) =>
      spansOf(nights, ({ night }) => night.warnings.some((one) => one.code === code)).map((span) => ({
        span,
        what: t(`year.${code}`),
      })),
    ),
  ];
  const text = ({ span, what }: (typeof notes)[number]): string =>
    span.from === first && span.to === last
      ? t('year.always', { what })
      : span.from === span.to
        ? t('year.on', { what, day: names.day(span.from) })
        : t('year.between', { what, from: names.day(span.from), to: names.day(span.to) });
  if (nights.length === 0) return null;
  return notes.length === 0 ? (
    <p className={styles.yearFine}>
      <Icon name="check" size={14} />
      {t('year.fine')}
    </p>
  ) : (
    <ul className={styles.yearNotes}>
      {notes.map((note) => (
        <li key={`${note.what}${note.span.from}`}>
          <Icon name="warning" size={14} />
          <span>{text(note)}</span>
          <button type="button" onClick={() => onDay(note.span.from)}>
            {t('year.show')}
          </button>
        </li>
      ))}
    </ul>
  );
}
