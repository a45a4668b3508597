import { Button, Modal } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatNumber, Icon, useErrorText, useTime } from '../../../parts/index.ts';
import { DayRangePicker, type DayRange } from '../../../parts/search-fields/index.ts';
import { inPreview } from '../../../session/index.ts';
import { ExportTasks } from './ExportTasks.tsx';
import { MOST_ROWS, type LogKind } from './log.ts';
import { daysIn, quickRanges, useExports, usualRange } from './use-exports.ts';
import styles from './logs.module.css';

/**
 * Takes the rows of some days out as .xlsx (specified 8.4): the last 7 days unless told, by shortcut or by calendar.
 */
export function ExportDialog({ kind, open, onClose }: { kind: LogKind; open: boolean; onClose: () => void }) {
  const { t, i18n } = useTranslation('logs');
  const id = useId();
  const errorText = useErrorText();
  const today = useTime()(new Date(), 'date');
  const [chosen, setChosen] = useState<DayRange | null>(null);
  const exports = useExports(kind, open);
  const range = chosen ?? usualRange(today);
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const days = daysIn(range);
  const choose = ({ from, to }: DayRange): void => {
    exports.forget();
    setChosen({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
  };
  const leave = (): void => {
    exports.leave();
    setChosen(null);
    onClose();
  };
  const begin = (): void => {
    if (range.from !== undefined && range.to !== undefined) exports.begin({ from: range.from, to: range.to });
  };
  return (
    <Modal
      open={open}
      width={550}
      title={t(`export.${kind}`)}
      onCancel={leave}
      destroyOnHidden
      footer={
        <>
          <Button onClick={leave}>{t('export.close')}</Button>
          <Button
            type="primary"
            loading={exports.isStarting}
            disabled={days === null || exports.isStarting || inPreview()}
            onClick={begin}
          >
            {t(exports.refusal ? 'export.retry' : 'export.start')}
          </Button>
        </>
      }
    >
      <div className={styles.export}>
        <div>
          <label htmlFor={id}>{t('export.range')}</label>
          <DayRangePicker
            id={id}
            label={t('export.range')}
            value={range}
            last={today}
            onChange={choose}
            invalid={days === null}
            describedBy={`${id}-note`}
          />
        </div>
        <div className={styles.quick} role="group" aria-label={t('export.quick')}>
          {quickRanges(today).map((quick) => (
            <Button
              key={quick.key}
              size="small"
              aria-pressed={range.from === quick.from && range.to === quick.to}
              onClick={() => choose(quick)}
            >
              {t(`export.${quick.key}`)}
            </Button>
          ))}
        </div>
        <p id={`${id}-note`} className={days === null ? styles.missing : styles.hint}>
          {days === null ? t('export.missing') : t('export.note', { n: number(days), most: number(MOST_ROWS) })}
        </p>
        {exports.refusal ? (
          <p className={styles.failure} role="alert">
            <Icon name="warning" size={14} />
            <span>
              <b>{t('export.failed')}</b>
              {errorText(exports.refusal)}
            </span>
          </p>
        ) : null}
        <ExportTasks list={exports.list} tasks={exports.tasks} acts={exports.acts} />
      </div>
    </Modal>
  );
}
