import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeviceAddress, useOpen } from '../../../frame/index.ts';
import { StateMark, useTime } from '../../../parts/index.ts';
import { useFigures } from './use-figures.ts';
import { DEVICES, markOf, sentence, told, whole, type Finding, type Health, type Subject } from './words.ts';
import styles from './health.module.css';

const urgency = ['failing', 'degraded', 'unknown', 'well'];

/**
 * Every subject: how it is, since when, the numbers that stand for it, and of what is wrong what to do. The worst
 * first.
 */
export function Subjects({ health }: { health: Health }) {
  const sorted = health.subjects.toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state));
  return (
    <ul className={styles.subjects}>
      {sorted.map((subject) => (
        <Line key={subject.subject} subject={subject} />
      ))}
    </ul>
  );
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
        {subject.since === null ? null : (
          <span className={styles.since} title={time(subject.since, 'dateTime')}>
            {t('since', { time: time(subject.since, 'dayTime') })}
          </span>
        )}
      </div>
      {figures.length === 0 ? null : (
        <p className={styles.figures}>
          {figures.map(({ name, text }) => (
            <span key={name}>
              {name === 'certificate' ? null : <>{t(`figure.${name}`)} </>}
              <b>{text}</b>
            </span>
          ))}
        </p>
      )}
      {subject.findings.map((finding, index) => (
        <div key={`${finding.code} ${index}`} className={styles.finding} data-state={finding.state}>
          <p>
            <b>
              <Wrong finding={finding} />
            </b>
          </p>
          <p>{sentence(t, `todo.${finding.code}`, told(finding, t, i18n.language))}</p>
        </div>
      ))}
    </li>
  );
}

/** What is wrong; the devices that it names lead to their pages. */
function Wrong({ finding }: { finding: Finding }) {
  const { t, i18n } = useTranslation('health');
  const open = useOpen();
  const pageOf = useDeviceAddress();
  const [before = '', after = ''] = sentence(t, `finding.${finding.code}`, told(finding, t, i18n.language)).split(
    DEVICES,
  );
  const devices = finding.devices ?? [];
  const more = Number(finding.values['count'] ?? 0) - devices.length;
  return (
    <>
      {before}
      {devices.map(({ id, family, name }, index) => {
        const page = pageOf(family, id);
        return (
          <Fragment key={id}>
            {index === 0 ? null : t('devices.between')}
            {page === undefined ? (
              name
            ) : (
              <button type="button" className={styles.link} onClick={() => open(page)}>
                {name}
              </button>
            )}
          </Fragment>
        );
      })}
      {devices.length > 0 && more > 0 ? t('devices.more', { n: whole(more, i18n.language) }) : null}
      {after}
    </>
  );
}
