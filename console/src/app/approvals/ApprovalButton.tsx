import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { usePageExists, usePermission } from '../../frame/menu/menu-context.ts';
import { IconButton } from '../shell/HeaderMenus.tsx';
import { useOpen } from '../../frame/tabs/tab-context.ts';
import styles from '../tasks/tasks.module.css';
import { useWaiting } from '../../parts/approvals/use-waiting.ts';

const page = 'lamp/approvals';
/**
 * The header's way to the tasks, publications and exceptions that wait for a second person, for who may be that person:
 * how many wait for this account, live.
 */
export function ApprovalButton() {
  const may = usePermission('lamp.approve');
  const exists = usePageExists();
  return may && exists(page) ? (
    <Suspense fallback={null}>
      <Waiting />
    </Suspense>
  ) : null;
}

function Waiting() {
  const { commands, publications, exceptions } = useWaiting();
  // Own tasks and those of areas this account does not see wait for somebody else.
  const waiting = [commands, publications, exceptions]
    .flatMap(({ data }): readonly { readonly approval: { readonly hindrance: unknown } | null }[] => data?.data ?? [])
    .filter(({ approval }) => approval?.hindrance === null).length;
  // Most of the time nothing waits: then the header is quiet, and the menu leads to the page.
  return waiting === 0 ? null : <WaitingButton waiting={waiting} />;
}

function WaitingButton({ waiting }: { waiting: number }) {
  const { t } = useTranslation('tasks');
  const open = useOpen();
  return (
    <span className={styles.button} data-approvals>
      <IconButton icon="shield" label={t('approvals.button', { n: waiting })} onClick={() => open(page)} />
      <i className={styles.count} aria-hidden>
        {waiting}
      </i>
    </span>
  );
}
