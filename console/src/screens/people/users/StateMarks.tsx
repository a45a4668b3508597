import { useTranslation } from 'react-i18next';
import { StateMark, useTime, type MarkState } from '../../../parts/index.ts';
import { statesOf, type User, type UserState } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

const shapes: Record<UserState, MarkState> = { normal: 'on', disabled: 'offline', locked: 'alarm', initial: 'info' };

/** Colour, shape and word of everything particular about an account; a lock says until when. */
export function StateMarks({ user, now }: { user: User; now: number }) {
  const { t } = useTranslation('users');
  const time = useTime();
  return (
    <span className={styles.states}>
      {statesOf(user, now).map((state) => (
        <span
          key={state}
          className={styles.state}
          {...(state === 'locked' ? { title: time(user.lockedUntil, 'dateTime') } : {})}
        >
          <StateMark
            state={shapes[state]}
            word={
              state === 'locked' ? t('state.locked', { time: time(user.lockedUntil, 'dayTime') }) : t(`state.${state}`)
            }
          />
        </span>
      ))}
    </span>
  );
}
