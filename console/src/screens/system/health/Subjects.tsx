import { useTranslation } from 'react-i18next';
import { StateMark, useTime } from '../../../parts/index.ts';
import { useFigures } from './use-figures.ts';
import { markOf, sentence, told, type Health, type Subject } from './words.ts';
import styles from './health.module.css';

const urgency = ['failing', 'degraded', 'unknown', 'well'];

/** Every subject: how it is, since when, the numbers that stand for it, and of what is wrong what to do. The worst first. */
export function Subjects({ health }: { health: Health }) {
  const sorted = health.subjects.toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state));
  return <ul className={styles.subjects}>{sorted.map((subject) => <Line key={subject.subject} subject={subject} />)}</ul>;
}

function Line({ subject }: { subject: Subject }) {
  const { t, i18n } = useTranslation('health');
  const time = useTime();
  const figures = useFigures(subject);
  return (
    <li className={styles.subject} data-state={subject.state}>
      <div className={styles.subjectHead}>
        <h3>{t(`subject.${subject.subject}`)}</h3>
        <StateMark state={markOf[subject.state]} word={t(`state.${subject.state}`)} />
        {subject.since === null ? null : <span className={styles.since} title={time(subject.since, 'dateTime')}>{t('since', { time: time(subject.since, 'dayTime') })}</span>}
      </div>
      {figures.length === 0 ? null : <p className={styles.figures}>{figures.map(({ name, text }) => <span key={name}>{name === 'certificate' ? null : <>{t(`figure.${name}`)} </>}<b>{text}</b></span>)}</p>}
      {subject.findings.map((finding, index) => (
        <div key={`${finding.code} ${index}`} className={styles.finding} data-state={finding.state}>
          <p><b>{sentence(t, `finding.${finding.code}`, told(finding, t, i18n.language))}</b></p>
          <p>{sentence(t, `todo.${finding.code}`, told(finding, t, i18n.language))}</p>
        </div>
      ))}
    </li>
  );
}
