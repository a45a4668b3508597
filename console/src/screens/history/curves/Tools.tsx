import { Button, Checkbox, Segmented } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { panned, zoomed } from '../../../parts/curves/geometry.ts';
import { longestMs, shortestMs } from '../../../parts/curves/use-pointing.ts';
import type { Span } from '../../../parts/curves/model.ts';
import { Icon, type IconName } from '../../../parts/index.ts';
import type { Choice } from '../../../parts/series/address.ts';
import styles from './history.module.css';

interface Props {
  choice: Choice;
  span: Span;
  /** Two units: they may be shown together or apart. */
  canPart: boolean;
  onChange: (change: Partial<Choice>) => void;
  onZoom: (span: Span) => void;
  /** null: nothing was zoomed yet. */
  onBack: (() => void) | null;
  children: ReactNode;
}

/** Chart or table, together or apart, and every zoom that dragging and wheel can do, as buttons. */
export function Tools({ choice, span, canPart, onChange, onZoom, onBack, children }: Props) {
  const { t } = useTranslation('curves');
  const middle = (span.from + span.to) / 2;
  const tool = (
    key: 'in' | 'out' | 'earlier' | 'later' | 'back',
    icon: IconName,
    onClick: () => void,
    disabled = false,
  ) => (
    <Button
      type="text"
      icon={<Icon name={icon} size={14} />}
      disabled={disabled}
      aria-label={t(`zoom.${key}`)}
      title={t(`zoom.${key}`)}
      onClick={onClick}
    />
  );
  return (
    <div className={styles.tools}>
      <Segmented<Choice['view']>
        aria-label={t('view')}
        value={choice.view}
        onChange={(view) => onChange({ view })}
        options={[
          { value: 'chart', label: t('view.chart') },
          { value: 'table', label: t('view.table') },
        ]}
      />
      {canPart && choice.view === 'chart' ? (
        <Checkbox checked={choice.apart} onChange={(event) => onChange({ apart: event.target.checked })}>
          {t('apart')}
        </Checkbox>
      ) : null}
      <span className={styles.zooms}>
        {tool('earlier', 'back', () => onZoom(panned(span, -0.5)))}
        {tool('later', 'right', () => onZoom(panned(span, 0.5)))}
        {tool('in', 'plus', () => onZoom(zoomed(span, middle, 0.5, shortestMs, longestMs)))}
        {tool('out', 'minus', () => onZoom(zoomed(span, middle, 2, shortestMs, longestMs)))}
        {tool('back', 'undo', () => onBack?.(), onBack === null)}
      </span>
      {children}
    </div>
  );
}
