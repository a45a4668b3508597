import { Dropdown } from 'antd';
import { useRef, useState, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '../../../../../contract/route.ts';
import type { getConnectionDrops } from '../../../../../contract/wires/connections.ts';
import { formatNumber, Icon, useTime } from '../../../parts/index.ts';
import styles from './drops.module.css';

type Told = ReplyOf<typeof getConnectionDrops>;
/** A span in ms; `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
const minuteMs = 60_000;
/** The least height of a bar, of 1: a single entry is seen beside hundreds. */
const least = 0.08;

/**
 * How many entries began when: a strip to click and to drag over, and its busiest minutes as a menu for the keyboard.
 * Both narrow the list to a time.
 */
export function Drops({ told, onSpan }: { told: Told; onSpan: (span: Span) => void }) {
  const { t, i18n } = useTranslation('connections');
  const time = useTime();
  const strip = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const span: Span = { from: Date.parse(told.from), to: Date.parse(told.to) };
  const step = told.stepSeconds * 1000;
  const steps = Math.max(1, Math.ceil((span.to - span.from) / step));
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const highest = Math.max(1, ...told.steps.map(({ count }) => count));
  const indexAt = (event: PointerEvent): number => {
    const box = strip.current?.getBoundingClientRect();
    if (!box || box.width === 0) return 0;
    return Math.min(steps - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * steps)));
  };
  const spanOf = (from: number, to: number): Span => ({
    from: span.from + Math.min(from, to) * step,
    to: Math.min(span.to, span.from + (Math.max(from, to) + 1) * step),
  });
  const chosen = drag === null ? null : [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to) + 1];
  return (
    <span className={styles.drops}>
      <span
        ref={strip}
        className={styles.strip}
        // The menu beside it has the same by keyboard.
        aria-hidden
        title={t('drops.hint')}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture?.(event.pointerId);
          setDrag({ from: indexAt(event), to: indexAt(event) });
        }}
        onPointerMove={(event) => {
          if (drag !== null) setDrag({ ...drag, to: indexAt(event) });
        }}
        onPointerUp={() => {
          if (drag !== null) onSpan(spanOf(drag.from, drag.to));
          setDrag(null);
        }}
        onPointerCancel={() => setDrag(null)}
      >
        {chosen === null ? null : (
          <b
            style={{ left: `${(chosen[0]! / steps) * 100}%`, width: `${((chosen[1]! - chosen[0]!) / steps) * 100}%` }}
          />
        )}
        {told.steps.map(({ at, count }) => (
          <i
            key={at}
            style={{
              left: `${((Date.parse(at) - span.from) / step / steps) * 100}%`,
              width: `max(2px, calc(${100 / steps}% - 1px))`,
              height: `${Math.max(least, count / highest) * 100}%`,
            }}
          />
        ))}
      </span>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        disabled={told.peaks.length === 0}
        menu={{
          items: told.peaks.map(({ at, count }) => ({
            key: at,
            label: t('drops.peak', { time: time(at, 'dayTime'), n: number(count) }),
          })),
          onClick: ({ key }) => onSpan({ from: Date.parse(key), to: Date.parse(key) + minuteMs }),
        }}
      >
        <button type="button" className={styles.peaks} disabled={told.peaks.length === 0}>
          {t('drops.peaks')}
          <Icon name="down" size={12} />
        </button>
      </Dropdown>
    </span>
  );
}
