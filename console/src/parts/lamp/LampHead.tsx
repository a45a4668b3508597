import { useTranslation } from 'react-i18next';
import { useNames } from '../../locales/catalogue-names.ts';
import { RelativeTime, StateMark } from '../index.ts';
import { placeOf, type Lamp } from './lamp.ts';
import styles from './lamp.module.css';

/** The state in words: a fault by its name, a dimmed lamp with its level. */
function LampState({ lamp }: { lamp: Lamp }) {
  const { t } = useTranslation('lamp');
  const names = useNames();
  const word =
    lamp.fault !== null
      ? names.fault(lamp.fault)
      : lamp.state === 'dimmed' && lamp.level !== null
        ? t('state.dimmedTo', { level: Math.round(lamp.level) })
        : undefined;
  return <StateMark state={lamp.state} word={word} />;
}

/** Which lamp it is: its code and state, where it stands, and through what it speaks. */
export function LampHead({ lamp, heading: Heading = 'h2' }: { lamp: Lamp; heading?: 'h1' | 'h2' }) {
  const { t } = useTranslation('lamp');
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <Heading>{lamp.code}</Heading>
        <LampState lamp={lamp} />
      </div>
      <p>{placeOf(lamp)}</p>
      <p className={styles.faint}>
        {lamp.controllerCode === null ? t('drawer.direct') : t('drawer.via', { code: lamp.controllerCode })} ·{' '}
        <RelativeTime at={lamp.at} />
      </p>
    </div>
  );
}
