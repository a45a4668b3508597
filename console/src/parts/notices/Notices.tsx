import { Button } from 'antd';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../contract/people/me.ts';
import type { Permission } from '../../../../contract/permissions.ts';
import { ApiError } from '../../api/api-error.ts';
import { useShownFailure } from '../../api/freshness.ts';
import { useCall } from '../../api/use-call.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { missingRight } from '../permissions/missing.ts';
import { useErrorText } from './error-text.ts';
import { Icon } from '../icons/Icon.tsx';
import styles from './Notices.module.css';

/** The right in words; the server's sentence stays where the code for it does not come. */
const MissingRight = lazy<ComponentType<{ permission: Permission; sentence: string }>>(() =>
  loadChunk('missing-right', () => import('../permissions/MissingRight.tsx')).catch(() => ({
    default: ({ sentence }: { sentence: string }) => sentence,
  })),
);

/** One way on: what the button says and does. */
export interface NoticeAction {
  text: string;
  onClick: () => void;
}

function Notice({
  title,
  text,
  action,
  role,
  kind,
}: {
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  role?: 'alert';
  kind?: 'empty';
}) {
  return (
    <div className={styles.notice} role={role} data-kind={kind}>
      <div className={styles.title}>{title}</div>
      {text ? <div className={styles.text}>{text}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

interface EmptyProps {
  title?: ReactNode;
  text?: ReactNode;
  action?: NoticeAction;
}

/**
 * Nothing of what stands in projects: an account that belongs to none reads that, and not that nothing is registered.
 */
function EmptyOfProjects(props: EmptyProps) {
  const { t } = useTranslation('parts');
  const me = useCall(getMe, {}, { staleTime: 300_000 }).data;
  // An administrator sees every project there is.
  return me && me.workAreas === 0 && me.level > 0 ? (
    <Notice kind="empty" title={t('noProject.title')} text={t('noProject.text')} />
  ) : (
    <Empty {...props} />
  );
}

/** Nothing to show: the reason, then one step. `ofProjects`: what is missing stands in projects. */
export function Empty({ ofProjects = false, ...props }: EmptyProps & { ofProjects?: boolean }) {
  const { t } = useTranslation('parts');
  if (ofProjects) return <EmptyOfProjects {...props} />;
  const { title, text, action } = props;
  return (
    <Notice
      kind="empty"
      title={title ?? t('empty.title')}
      text={text}
      action={
        action ? (
          <Button size="small" onClick={action.onClick}>
            {action.text}
          </Button>
        ) : null
      }
    />
  );
}

/**
 * A region that could not get its data: what happened, request id, retry. A refusal for want of rights becomes
 * `NoPermission`, so that `<ErrorState error={query.error} onRetry={query.refetch} />` is all a screen needs.
 */
export function ErrorState({ error, title, onRetry }: { error: unknown; title?: ReactNode; onRetry?: () => unknown }) {
  const { t } = useTranslation('parts');
  const textOf = useErrorText();
  useShownFailure(error);
  if (error instanceof ApiError && error.status === 403) {
    const missing = missingRight(error);
    return (
      <NoPermission
        text={
          missing === undefined ? (
            error.message
          ) : (
            <Suspense fallback={error.message}>
              <MissingRight permission={missing} sentence={error.message} />
            </Suspense>
          )
        }
      />
    );
  }
  const retry = onRetry ? (
    <Button size="small" icon={<Icon name="retry" size={13} />} onClick={() => void onRetry()}>
      {t('error.retry')}
    </Button>
  ) : null;
  return <Notice role="alert" title={title ?? t('error.title')} text={textOf(error)} action={retry} />;
}

/** A region the account may not see: which code is missing (or what the server said) and who can give it. */
export function NoPermission({ code, text, title }: { code?: string; text?: ReactNode; title?: ReactNode }) {
  const { t } = useTranslation('parts');
  return (
    <Notice
      title={title ?? t('permission.title')}
      text={code === undefined ? text || t('permission.server') : t('permission.code', { code })}
    />
  );
}

/**
 * First load: grey bars in the shape of what will come; nothing moves when the data arrives if `height` is the
 * content's.
 */
export function Skeleton({ rows = 4, height }: { rows?: number; height?: number | string }) {
  const { t } = useTranslation('parts');
  const widths = ['40%', '100%', '86%', '92%', '74%'];
  return (
    <div
      className={styles.skeleton}
      role="status"
      aria-label={t('skeleton.label')}
      style={height === undefined ? undefined : { height }}
    >
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} style={{ width: widths[index % widths.length] }} />
      ))}
    </div>
  );
}

/** "As of 21:41": the figures beside it are old. `time` is already formatted. */
export function StaleNote({ time }: { time: ReactNode }) {
  const { t } = useTranslation('parts');
  return (
    <span className={styles.stale} title={t('stale.hint')}>
      <Icon name="clock" size={13} />
      {t('stale.since', { time: typeof time === 'string' ? time : '' })}
      {typeof time === 'string' ? null : time}
    </span>
  );
}

/** The thin bar of a refresh; takes no room. */
export function RefreshBar({ active }: { active: boolean }) {
  const { t } = useTranslation('parts');
  return active ? <div className={styles.refresh} role="progressbar" aria-label={t('refreshing')} /> : null;
}
