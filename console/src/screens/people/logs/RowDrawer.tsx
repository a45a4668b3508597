import { Button, Drawer } from 'antd';
import { useTranslation } from 'react-i18next';
import { Empty, ErrorState, formatNumber, Icon, RelativeTime, Skeleton, toast, useTime } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { Result } from './cells.tsx';
import { prettyParams, type LogKind, type LogRow } from './log.ts';
import type { OpenedRow } from './use-opened.ts';
import styles from './logs.module.css';

/** Everything one row says, beside the list, under an address of its own. */
export function RowDrawer({ kind, opened }: { kind: LogKind; opened: OpenedRow }) {
  const { t } = useTranslation('logs');
  // While it slides away it goes on showing what it showed.
  const row = useLast(opened.row ?? null);
  const shown = opened.id === null ? row : opened.row;
  return (
    <Drawer
      open={opened.id !== null}
      onClose={opened.close}
      size="min(560px, 100vw)"
      title={t(`detail.${kind}`)}
      destroyOnHidden
      footer={
        <div className={styles.foot}>
          {shown ? <Button onClick={() => opened.only(shown.username)}>{t('detail.only')}</Button> : null}
          <Button type="text" onClick={opened.close}>
            {t('detail.close')}
          </Button>
        </div>
      }
    >
      {shown ? (
        <Detail kind={kind} row={shown} />
      ) : opened.isSearching ? (
        <Skeleton rows={6} />
      ) : opened.error ? (
        <ErrorState title={t('list.failed')} error={opened.error} onRetry={opened.retry} />
      ) : (
        <Empty title={t('detail.gone')} text={t('detail.gone.text')} />
      )}
    </Drawer>
  );
}

function Detail({ kind, row }: { kind: LogKind; row: LogRow }) {
  const { t, i18n } = useTranslation('logs');
  const time = useTime();
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  return (
    <div className={styles.detail}>
      <div className={styles.detailHead}>
        <b>{row.message}</b>
        <Result row={row} />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t('field.time')}</dt>
          <dd>
            {time(row.time, 'dateTime')}{' '}
            <small>
              <RelativeTime at={row.time} />
            </small>
          </dd>
        </div>
        <div>
          <dt>{t('field.username')}</dt>
          <dd>{row.username}</dd>
        </div>
        <div>
          <dt>{t('field.ip')}</dt>
          <dd className="code">{row.ip}</dd>
        </div>
        <div>
          <dt>{t('field.times')}</dt>
          <dd>
            {number(row.times)}
            {row.times > 1 ? <small> {t('list.repeated')}</small> : null}
          </dd>
        </div>
        {row.uri === undefined ? null : (
          <div className={styles.wide}>
            <dt>{t('field.uri')}</dt>
            <dd className="code">{row.uri}</dd>
          </div>
        )}
        <div>
          <dt>{t('field.id')}</dt>
          <dd className="code">{row.id}</dd>
        </div>
      </dl>
      {kind === 'operation' ? <Params params={row.params ?? null} /> : null}
      <p className={styles.seal}>
        <Icon name={row.sealed ? 'lock' : 'clock'} size={16} />
        <span>
          <b>{t(row.sealed ? 'detail.sealed' : 'detail.open')}</b>
          {t(row.sealed ? 'detail.sealed.text' : 'detail.open.text')}
        </span>
      </p>
    </div>
  );
}

/** What the call carried, as text and nothing else. */
function Params({ params }: { params: string | null }) {
  const { t } = useTranslation('logs');
  if (params === null || params === '')
    return (
      <section>
        <h3>{t('field.params')}</h3>
        <p className={styles.hint}>{t('detail.params.none')}</p>
      </section>
    );
  const { text, cut } = prettyParams(params);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      toast.done(t('detail.copied'));
    } catch {
      toast.warning(t('detail.noCopy'), 6_000);
    }
  };
  return (
    <section aria-label={t('field.params')}>
      <div className={styles.paramsHead}>
        <h3>{t('field.params')}</h3>
        <Button size="small" onClick={() => void copy()}>
          {t('detail.copy')}
        </Button>
      </div>
      {cut ? <p className={styles.hint}>{t('detail.params.cut')}</p> : null}
      <pre className={`code ${styles.params ?? ''}`}>{text}</pre>
    </section>
  );
}
