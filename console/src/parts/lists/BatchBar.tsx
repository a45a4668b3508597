import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { useErrorText } from '../notices/error-text.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { toast } from '../../frame/toast-store.ts';
import { everyRow, MOST_CHOSEN, type Batch, type BatchTool, type ListRow } from './batch.ts';
import { BatchDialog } from './BatchDialog.tsx';
import type { Chosen } from './use-chosen.ts';
import styles from './batch.module.css';

interface Props<R> {
  batch: Batch<R>;
  chosen: Chosen<R>;
  /** How many match the conditions. */
  total: number;
}

/** What to do with the selected rows, in a line of its own between table and pages. */
export function BatchBar<R extends ListRow>({ batch, chosen, total }: Props<R>) {
  const { t, i18n } = useTranslation('lists');
  const errorText = useErrorText();
  const [choosing, setChoosing] = useState(false);
  const [asked, setAsked] = useState<{ key: string; rows: readonly R[] } | null>(null);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const chooseAll = async (): Promise<void> => {
    setChoosing(true);
    try {
      chosen.replace(await everyRow(batch.page));
    } catch (cause) {
      toast.failed(`${t('batch.allFailed')} · ${errorText(cause)}`);
    } finally {
      setChoosing(false);
    }
  };
  const [busy, setBusy] = useState<string | null>(null);
  const use = async (tool: BatchTool<R>): Promise<void> => {
    setBusy(tool.key);
    try {
      await tool.run(rows);
    } catch (cause) {
      toast.failed(`${tool.label} · ${errorText(cause)}`);
    } finally {
      setBusy(null);
    }
  };
  const { rows } = chosen;
  const action = batch.actions.find(({ key }) => key === asked?.key);
  return (
    <>
      {rows.length === 0 ? null : (
        <div className={styles.bar} role="toolbar" aria-label={t('batch.label')}>
          <b role="status">{t('batch.selected', { n: number(rows.length) })}</b>
          {total <= rows.length ? null : total > MOST_CHOSEN ? (
            <span>{t('batch.most', { n: number(MOST_CHOSEN) })}</span>
          ) : (
            <button type="button" className={styles.all} disabled={choosing} onClick={() => void chooseAll()}>
              {t(choosing ? 'batch.choosing' : 'batch.all', { n: number(total) })}
            </button>
          )}
          <span className={styles.actions}>
            {batch.tools?.map((tool) => (
              <button
                key={tool.key}
                type="button"
                disabled={choosing || busy !== null}
                aria-busy={busy === tool.key}
                onClick={() => void use(tool)}
              >
                {tool.label}
              </button>
            ))}
            {batch.actions.map((action) => (
              <button
                key={action.key}
                type="button"
                disabled={choosing}
                onClick={() => setAsked({ key: action.key, rows })}
              >
                {action.label}
              </button>
            ))}
          </span>
          <button
            type="button"
            className={styles.close}
            aria-label={t('batch.clear')}
            title={t('batch.clear')}
            onClick={chosen.clear}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      )}
      {asked === null || action === undefined ? null : (
        <BatchDialog
          batch={batch}
          action={action}
          rows={asked.rows}
          onDone={(done) => chosen.change(done, false)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
