import { useTranslation } from 'react-i18next';
import { Icon, StateMark } from '../../../parts/index.ts';
import { marks, type Newcomer } from './newcomer.ts';
import styles from './inbox.module.css';

/** What a newcomer is, and what is doubtful about it. */
export function State({ one }: { one: Newcomer }) {
  const { t } = useTranslation('provisioning');
  return (
    <span className={styles.state}>
      <StateMark state={marks[one.state]} word={t(`state.${one.state}`)} />
      {one.doubt === null ? null : (
        <span className={styles.doubt} title={t(`doubt.${one.doubt}`)}>
          <Icon name="warning" size={13} />
          {t('doubt')}
        </span>
      )}
    </span>
  );
}
