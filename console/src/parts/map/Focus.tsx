import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../locales/format-number.ts';
import { StateShape } from '../state/StateMark.tsx';
import { useFollow } from './follow.ts';
import type { LampField } from './lamp-field.ts';
import styles from './MapCanvas.module.css';
import type { MapView } from './map-view.ts';
import { useFieldVersion } from './use-field.ts';
import type { MapWords } from './words.ts';

/** The ring with four ticks around the opened lamp, and the name of the lamp under the pointer. */
export function Focus({
  view,
  field,
  focusId,
  hoveredId,
  words,
}: {
  view: MapView;
  field: LampField;
  focusId: number | null;
  hoveredId: number | null;
  words?: MapWords | undefined;
}) {
  useFieldVersion(field, 250);
  const root = useRef<HTMLDivElement>(null);
  useFollow(root, view);
  const focused = focusId === null ? undefined : field.indexOf(focusId);
  const hovered = hoveredId === null || hoveredId === focusId ? undefined : field.indexOf(hoveredId);
  return (
    <div ref={root} className={styles.marks} aria-hidden>
      {focused === undefined ? null : <Mark key="focus" field={field} index={focused} ring words={words} />}
      {hovered === undefined ? null : <Mark key="hover" field={field} index={hovered} ring={false} words={words} />}
    </div>
  );
}

function Mark({
  field,
  index,
  ring,
  words,
}: {
  field: LampField;
  index: number;
  ring: boolean;
  words?: MapWords | undefined;
}) {
  const { i18n, t } = useTranslation('parts');
  const state = field.stateName(index);
  const level = field.levels[index]!;
  const lit = state === 'on' || state === 'dimmed';
  return (
    <div className={styles.mark} data-x={field.positions[index * 2]} data-y={field.positions[index * 2 + 1]}>
      {ring ? (
        <svg className={styles.reticle} width="48" height="48" viewBox="-24 -24 48 48">
          {['casing', 'ring'].map((stroke) => (
            <g key={stroke}>
              <circle r="15" />
              {[0, 90, 180, 270].map((angle) => (
                <line key={angle} y1="-15" y2="-21" transform={`rotate(${angle})`} />
              ))}
            </g>
          ))}
        </svg>
      ) : null}
      <span className={styles.tag}>
        <StateShape state={words?.markOf(index) ?? state} />
        <b>{words?.nameOf(index) ?? field.codes[index]}</b>
        <small>
          {words
            ? words.stateOf(index)
            : lit && level >= 0
              ? formatPercent(Math.round(level), i18n.language)
              : t(`state.${state}`)}
        </small>
      </span>
    </div>
  );
}
