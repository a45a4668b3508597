import { Button, Drawer } from 'antd';
import type { Static } from 'typebox';
import { useTranslation } from 'react-i18next';
import {
  endAccountSession,
  listAccountSessions,
  type AccountSession,
} from '../../../../../contract/people/accounts.ts';
import { listUsers } from '../../../../../contract/specified/users.ts';
import { useCall, useSend } from '../../../api/index.ts';
import {
  Empty,
  ErrorState,
  Icon,
  RefreshBar,
  RelativeTime,
  Skeleton,
  toast,
  useErrorText,
  useTime,
} from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { deviceOf } from './device.ts';
import styles from './users.module.css';

type Session = Static<typeof AccountSession>;
interface Props {
  id: number | null;
  name: string;
  /** Whether the operator may end them. */
  mayEnd: boolean;
  onClose: () => void;
  onEndAll?: () => void;
}

/** Where an account is signed in: what device, from where, since when; each can be ended. */
export function SessionsDrawer({ id, name, mayEnd, onClose, onEndAll }: Props) {
  const { t } = useTranslation('users');
  const shown = useLast(id);
  const list = useCall(
    listAccountSessions,
    { params: { id: shown ?? 0 } },
    { enabled: id !== null, every: 15_000, background: true, staleTime: 0 },
  );
  const sessions = list.data?.data ?? [];
  const others = sessions.some((session) => !session.own);
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      size="min(480px, 100vw)"
      title={t('sessions.title', { name })}
      styles={{ body: { padding: 0, position: 'relative' } }}
      destroyOnHidden
      footer={
        mayEnd && others && onEndAll ? (
          <div className={styles.drawerFoot}>
            <Button danger onClick={onEndAll}>
              {t('sessions.endAll')}
            </Button>
          </div>
        ) : null
      }
    >
      <RefreshBar active={list.isFetching && !list.isPending} />
      {list.isPending ? (
        <Skeleton rows={6} />
      ) : list.error && !list.data ? (
        <ErrorState title={t('list.failed')} error={list.error} onRetry={list.refetch} />
      ) : sessions.length === 0 ? (
        <Empty title={t('sessions.none')} />
      ) : (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <SessionItem key={session.id} session={session} accountId={shown ?? 0} mayEnd={mayEnd} />
          ))}
        </ul>
      )}
    </Drawer>
  );
}

function SessionItem({ session, accountId, mayEnd }: { session: Session; accountId: number; mayEnd: boolean }) {
  const { t } = useTranslation('users');
  const time = useTime();
  const errorText = useErrorText();
  const end = useSend(endAccountSession, [listAccountSessions, listUsers], { quiet: true });
  const { browser, system, isPhone } = deviceOf(session.userAgent);
  const device = [browser, system].filter((part) => part !== undefined).join(' · ') || t('sessions.unknown');
  // The row is gone before its answer is told: a promise is heard by a part that is no longer there, a callback of
  // `mutate` is not.
  const run = (): void =>
    void end.mutateAsync({ params: { id: accountId, sessionId: session.id } }).then(
      () => toast.done(t('sessions.ended')),
      (error: unknown) => toast.failed(errorText(error)),
    );
  return (
    <li>
      <div className={styles.sessionHead}>
        <Icon name={isPhone ? 'phone' : 'screen'} />
        <div>
          <span title={session.userAgent ?? undefined}>{device}</span>
          {session.own ? (
            <span className={styles.badge}>
              <Icon name="check" size={12} />
              {t('sessions.own')}
            </span>
          ) : null}
          {session.previewBy === null ? null : (
            <span className={styles.badge}>
              <Icon name="eye" size={12} />
              {t('sessions.previewBy', { name: session.previewBy })}
            </span>
          )}
          {session.remember ? <span className={styles.badge}>{t('sessions.remember')}</span> : null}
        </div>
        {mayEnd && !session.own ? (
          <Button
            size="small"
            loading={end.isPending}
            disabled={end.isPending}
            aria-label={t('sessions.endOf', { device })}
            onClick={run}
          >
            {t('sessions.end')}
          </Button>
        ) : null}
      </div>
      <dl>
        <div>
          <dt>{t('sessions.address')}</dt>
          <dd className="code">{session.address}</dd>
        </div>
        <div>
          <dt>{t('sessions.lastActive')}</dt>
          <dd>
            <RelativeTime at={session.lastActiveAt} />
          </dd>
        </div>
        <div>
          <dt>{t('sessions.since')}</dt>
          <dd>{time(session.createdAt, 'dateTime')}</dd>
        </div>
        <div>
          <dt>{t('sessions.expires')}</dt>
          <dd>{time(session.expiresAt, 'dateTime')}</dd>
        </div>
      </dl>
    </li>
  );
}
