import { Button, Modal } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon, useErrorText } from '../../parts/index.ts';
import { DayRangePicker } from '../../parts/search/index.ts';
import { MOST_ROWS, type LogKind } from './log.ts';
import { daysIn, quickRanges, useExport } from './use-export.ts';
import styles from './logs.module.css';

/** Takes the rows of some days out as .xlsx (S2 sections 2.4, 9): the last 7 days unless told, by shortcut or by calendar. */
export function ExportDialog({ kind, open, onClose }: { kind: LogKind; open: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation('logs');
  const id = useId();
  const errorText = useErrorText();
  const { range, today, choose, state, start, stop, forget } = useExport(kind, onClose);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const running = state.name === 'running';
  const days = daysIn(range);
  const leave = (): void => {
    forget();
    onClose();
  };
  return (
    <Modal
      open={open} width={550} title={t(`export.${kind}`)} onCancel={leave} closable={!running} keyboard={!running} mask={{ closable: false }} destroyOnHidden
      footer={running ? <Button onClick={stop}>{t('export.stop')}</Button> : (
        <>
          <Button onClick={leave}>{t('export.cancel')}</Button>
          <Button type="primary" disabled={days === null} onClick={start}>{t(state.name === 'failed' ? 'export.retry' : 'export.start')}</Button>
        </>
      )}
    >
      <div className={styles.export}>
        <div>
          <label htmlFor={id}>{t('export.range')}</label>
          <div inert={running}><DayRangePicker id={id} label={t('export.range')} value={range} last={today} onChange={choose} invalid={days === null} describedBy={`${id}-note`} /></div>
        </div>
        <div className={styles.quick} role="group" aria-label={t('export.quick')}>
          {quickRanges(today).map((quick) => (
            <Button key={quick.key} size="small" disabled={running} aria-pressed={range.from === quick.from && range.to === quick.to} onClick={() => choose(quick)}>{t(`export.${quick.key}`)}</Button>
          ))}
        </div>
        <p id={`${id}-note`} className={days === null ? styles.missing : styles.hint}>{days === null ? t('export.missing') : t('export.note', { n: number(days), most: number(MOST_ROWS) })}</p>
        <div aria-live="polite">
          {state.name === 'running' ? (
            <div className={styles.running}>
              <div className={styles.runningBar} role="progressbar" aria-label={t(`export.${kind}`)}><span /></div>
              {state.bytes === 0 ? t('export.counting') : t('export.running', { size: sizeText(state.bytes, i18n.language) })}
            </div>
          ) : null}
        </div>
        {state.name === 'failed' ? <p className={styles.failure} role="alert"><Icon name="warning" size={14} /><span><b>{t('export.failed')}</b>{errorText(state.error)}</span></p> : null}
      </div>
    </Modal>
  );
}

/** Bytes as kilobytes or megabytes, in the language's own way. */
function sizeText(bytes: number, language: string): string {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, { style: 'unit', unit, maximumFractionDigits: unit === 'kilobyte' ? 0 : 1 }).format(value);
}
