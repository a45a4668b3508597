import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chartColors } from '../../theme/chart-theme.ts';
import { useLook } from '../../theme/use-look.ts';
import { useZone } from '../time/zone.ts';
import { marginsOf, shareOf } from './geometry.ts';
import type { Ink } from './ink.ts';
import type { Panel, Span } from './model.ts';
import { paintPanel, type Frame, type Scene } from './paint.ts';
import { Reading, Swatch } from './Reading.tsx';
import { timeTicks } from '../time/ticks.ts';
import { usePointing } from './use-pointing.ts';
import { useWidth } from './use-size.ts';
import styles from './curves.module.css';

interface Props {
  readonly panels: readonly Panel[];
  readonly span: Span;
  readonly nights?: readonly Span[];
  /** Where the future begins. */
  readonly now: number;
  /** The curve somebody points at elsewhere, by key. */
  readonly chosen?: string | null;
  /** In words, for those who do not see it. */
  readonly label: string;
  readonly onZoom?: (span: Span) => void;
  readonly onBack?: () => void;
}

const none: readonly Span[] = [];
/** Above the curves the unit, below them the times. */
const [above, below] = [26, 28];
export const frameOf = (panel: Panel, width: number, margins: { left: number; right: number }): Frame => ({
  width,
  height: panel.height + above + below,
  ...margins,
  top: panel.kind === 'lanes' ? 4 : above,
  bottom: panel.kind === 'lanes' ? below + above - 4 : below,
});

/**
 * Curves over one span, one picture below the other, their times in line: pointed at by mouse, finger or keys, what
 * they say is told exactly; a span is marked by dragging, narrowed by wheel or keys.
 */
export function CurveStack({ panels, span, nights = none, now, chosen = null, label, onZoom, onBack }: Props) {
  const { t, i18n } = useTranslation('curves');
  const hint = useId();
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const ink = useInk();
  const margins = useMemo(() => marginsOf(panels, i18n.language), [panels, i18n.language]);
  const plotWidth = Math.max(1, width - margins.left - margins.right);
  const ticks = useMemo(() => timeTicks(span, ink.zone, mostTicks(plotWidth)), [span, ink.zone, plotWidth]);
  const curves = useMemo(() => panels.flatMap((panel) => panel.curves), [panels]);
  const { at, spoken, mark, on } = usePointing({
    element,
    span,
    left: margins.left,
    width: plotWidth,
    curves,
    onZoom,
    onBack,
  });
  const place = (instant: number): number => margins.left + shareOf(span, instant) * plotWidth;
  return (
    <div
      ref={element}
      className={styles.stack}
      data-zooms={onZoom !== undefined || undefined}
      tabIndex={0}
      role="application"
      aria-roledescription={t('chart')}
      aria-label={label}
      aria-describedby={hint}
      {...on}
    >
      <span id={hint} className="visually-hidden">
        {t(onZoom ? 'keys.zoom' : 'keys')}
      </span>
      {panels.map((panel) => (
        <section key={panel.key} className={styles.panel}>
          <Head panel={panel} ink={ink} />
          <Picture
            scene={{ panel, span, nights, ticks, now, chosen }}
            frame={frameOf(panel, width, margins)}
            ink={ink}
          />
        </section>
      ))}
      {at === null ? null : <span className={styles.cross} style={{ left: place(at) }} aria-hidden />}
      {mark === null ? null : (
        <span
          className={styles.mark}
          style={{ left: place(mark.from), width: place(mark.to) - place(mark.from) }}
          aria-hidden
        />
      )}
      {at === null || mark !== null ? null : (
        <Reading
          curves={curves}
          span={span}
          at={at}
          reach={((span.to - span.from) / plotWidth) * 24}
          ink={ink}
          {...(width === 0 ? {} : { place: place(at), width })}
          spoken={spoken}
        />
      )}
    </div>
  );
}

/** Marks of time as they have room: on a phone not fewer than make an axis. */
export const mostTicks = (plotWidth: number): number => Math.max(4, Math.floor(plotWidth / 96));

/** What a picture shows, and which of its curves is which: whoever looks at it needs not look elsewhere. */
function Head({ panel: { title, legend, curves }, ink }: { panel: Panel; ink: Ink }) {
  if (title === '' && legend === undefined) return null;
  return (
    <div className={styles.head}>
      {title === '' ? null : <h3>{title}</h3>}
      {legend === undefined ? null : (
        <ul aria-hidden>
          {curves.map((curve, index) => (
            <li key={curve.key}>
              <Swatch curve={curve} ink={ink} />
              {legend[index]}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Whether the fonts are there: what is drawn with others before is drawn again. */
function useFonts(): boolean {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    let gone = false;
    // Where there is no such thing (tests) nothing is drawn either.
    void (document as Partial<Document>).fonts?.ready.then(() => {
      if (!gone) setReady(true);
    });
    return () => {
      gone = true;
    };
  }, []);
  return ready;
}

/** What pictures are drawn with: the colours, font, language and zone in force. */
export function useInk(): Ink {
  const { theme, accent, fontFamily } = useLook();
  const zone = useZone();
  const { i18n } = useTranslation('curves');
  return useMemo(
    () => ({ colors: chartColors(theme, accent), fontFamily, language: i18n.language, zone }),
    [theme, accent, fontFamily, zone, i18n.language],
  );
}

function Picture({
  scene: { panel, span, nights, ticks, now, chosen },
  frame: { width, height, left, right, top, bottom },
  ink,
}: {
  scene: Scene;
  frame: Frame;
  ink: Ink;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const fonts = useFonts();
  useEffect(() => {
    // Nothing is laid out: there is nothing to draw on.
    if (width === 0) return;
    const scale = Math.max(1, window.devicePixelRatio);
    const pen = sized(canvas.current, width, height, scale);
    if (!pen) return;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    paintPanel(pen, { panel, span, nights, ticks, now, chosen }, { width, height, left, right, top, bottom }, ink);
  }, [panel, span, nights, ticks, now, chosen, ink, fonts, width, height, left, right, top, bottom]);
  return <canvas ref={canvas} className={styles.canvas} style={{ height }} aria-hidden />;
}

function sized(
  canvas: HTMLCanvasElement | null,
  width: number,
  height: number,
  scale: number,
): CanvasRenderingContext2D | null {
  if (!canvas) return null;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  return canvas.getContext('2d');
}
