import { Button, Modal } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { inPreview } from '../../session/index.ts';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { formatNumber } from '../../locales/format-number.ts';
import type { Batch, BatchAction, ListRow } from './batch.ts';
import { useRun, type Run } from './use-run.ts';
import styles from './batch.module.css';

interface Props<R> {
  batch: Batch<R>;
  action: BatchAction<R>;
  rows: readonly R[];
  onDone: (rows: readonly R[]) => void;
  onClose: () => void;
}

/** What scrolls by itself must be reachable by keyboard. */
const reachable = { tabIndex: 0 } as const;
/** So many names stand in one list; the rest is counted. */
const MOST_NAMES = 200;

function useNumber(): (n: number) => string {
  const { i18n } = useTranslation('lists');
  return (n) => formatNumber(n, i18n.language, 0);
}

/** Asks before, shows the progress, then the outcome of every row; what failed can be tried again. */
export function BatchDialog<R extends ListRow>({ batch, action, rows, onDone, onClose }: Props<R>) {
  const { t } = useTranslation('lists');
  const number = useNumber();
  // The rows as they were when it was asked: what happens to the list meanwhile changes nothing here.
  const [these] = useState(rows);
  const asked = these.map((row) => ({ row, against: action.against?.(row) }));
  const able = asked.filter(({ against }) => against === undefined).map(({ row }) => row);
  const { run, start, stop } = useRun(batch, action, onDone);
  const running = run.state === 'running';
  const again = [...run.failed.map(({ row }) => row), ...run.left];
  const footer =
    run.state === 'before' ? (
      <>
        <Button onClick={onClose}>{t('batch.cancel')}</Button>
        <Button
          type="primary"
          danger={action.danger === true}
          disabled={able.length === 0 || action.ready === false || inPreview()}
          onClick={() => void start(able)}
        >
          {action.label}
        </Button>
      </>
    ) : running ? (
      <Button onClick={stop}>{t('batch.stop')}</Button>
    ) : (
      <>
        {again.length > 0 ? (
          <Button icon={<Icon name="retry" size={14} />} onClick={() => void start(again)}>
            {t(run.left.length > 0 ? 'batch.goOn' : 'batch.retry', { n: number(again.length) })}
          </Button>
        ) : null}
        <Button type="primary" onClick={onClose}>
          {t('batch.close')}
        </Button>
      </>
    );
  return (
    <Modal
      open
      title={run.state === 'before' ? action.title(number(able.length)) : `${action.label} · ${number(run.of)}`}
      width={520}
      onCancel={onClose}
      closable={!running}
      keyboard={!running}
      mask={{ closable: false }}
      footer={footer}
    >
      {run.state === 'before' ? (
        <Before
          batch={batch}
          action={action}
          able={able}
          left={asked.flatMap(({ row, against }) =>
            against === undefined ? [] : [{ name: batch.nameOf(row), reason: against }],
          )}
        />
      ) : (
        <Outcome batch={batch} run={run} />
      )}
    </Modal>
  );
}

function Before<R>({
  batch,
  action,
  able,
  left,
}: {
  batch: Batch<R>;
  action: BatchAction<R>;
  able: readonly R[];
  left: readonly { name: string; reason: string }[];
}) {
  const { t } = useTranslation('lists');
  const number = useNumber();
  return (
    <div className={styles.before}>
      {able.length === 0 ? (
        <p>{t('batch.none')}</p>
      ) : (
        <>
          {action.about(able)}
          <p className={styles.names}>
            {able.slice(0, 12).map(batch.nameOf).join(t('batch.separator'))}
            {able.length > 12 ? t('batch.more', { n: number(able.length - 12) }) : ''}
          </p>
        </>
      )}
      {left.length === 0 ? null : (
        <details open={left.length <= 5}>
          <summary>{t('batch.leftOut', { n: number(left.length) })}</summary>
          <ul className={styles.rows}>
            {left.slice(0, MOST_NAMES).map(({ name, reason }, index) => (
              <li key={index}>
                <b>{name}</b>
                <span>{reason}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Outcome<R extends ListRow>({ batch, run }: { batch: Batch<R>; run: Run<R> }) {
  const { t } = useTranslation('lists');
  const errorText = useErrorText();
  const number = useNumber();
  const ended = run.done.length + run.failed.length;
  const rest = run.done.length - MOST_NAMES;
  return (
    <div className={styles.outcome}>
      <div
        className={styles.progress}
        role="progressbar"
        aria-label={t('batch.progress')}
        aria-valuemin={0}
        aria-valuemax={run.of}
        aria-valuenow={ended}
      >
        <span style={{ width: `${(run.done.length / run.of) * 100}%` }} />
        <span className={styles.bad} style={{ width: `${(run.failed.length / run.of) * 100}%` }} />
      </div>
      <p role="status">
        {t(run.state === 'running' ? 'batch.running' : 'batch.ended', {
          done: number(run.done.length),
          failed: number(run.failed.length),
          n: number(run.of),
        })}
        {run.left.length > 0 ? ` · ${t('batch.untouched', { n: number(run.left.length) })}` : ''}
      </p>
      <ul className={styles.rows} aria-label={t('batch.results')} {...reachable}>
        {run.failed.map(({ row, error }) => (
          <li key={row.id} className={styles.failedRow}>
            <Icon name="warning" size={13} />
            <b>{batch.nameOf(row)}</b>
            <span>{errorText(error)}</span>
          </li>
        ))}
        {run.done.slice(0, MOST_NAMES).map((row) => (
          <li key={row.id}>
            <Icon name="check" size={13} />
            <b>{batch.nameOf(row)}</b>
            <span>{t('batch.ok')}</span>
          </li>
        ))}
        {rest > 0 ? <li>{t('batch.moreOk', { n: number(rest) })}</li> : null}
      </ul>
    </div>
  );
}
