import { useMemo, useState } from 'react';
import { Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { mapStates, type MapStateName } from '../../../../../contract/device-map.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatNumber, Icon, StateShape } from '../../../parts/index.ts';
import type { DeviceField } from '../../../parts/map/device-field.ts';
import { familyIcon } from '../../../parts/map/device-atlas.ts';
import { useFieldVersion } from '../../../parts/map/use-field.ts';
import styles from './map.module.css';
import type { View } from './view-state.ts';
import { markOf } from './words.ts';

interface Props {
  field: DeviceField;
  view: View;
  narrow: boolean;
  onFamilies: (shown: ReadonlySet<string>) => void;
  onStates: (states: readonly MapStateName[]) => void;
}

/**
 * What the map shows: families as layers, states; each with how many there are. Folded on a phone until it is wanted.
 */
export function LayerPanel({ field, view, narrow, onFamilies, onStates }: Props) {
  const { t } = useTranslation('device-map');
  const [open, setOpen] = useState(!narrow);
  const version = useFieldVersion(field);
  const tally = useMemo(() => (version >= 0 ? field.tally() : null), [field, version]);
  return (
    <section className={styles.panel} data-open={open} aria-label={t('layers.title')}>
      <button type="button" className={styles.panelHead} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="layers" size={15} />
        <h2>{t('layers.title')}</h2>
        {narrow && !open ? null : <Icon name={open ? 'up' : 'down'} size={14} />}
      </button>
      {open && tally ? (
        <div className={styles.panelBody}>
          <Families counts={tally.families} shown={view.families} onChange={onFamilies} />
          <States counts={tally.states} shown={view.states} onChange={onStates} />
        </div>
      ) : null}
    </section>
  );
}

function Families({
  counts,
  shown,
  onChange,
}: {
  counts: ReadonlyMap<string, number>;
  shown: ReadonlySet<string>;
  onChange: (shown: ReadonlySet<string>) => void;
}) {
  const { t, i18n } = useTranslation('device-map');
  const names = useNames();
  const here = [...counts].filter(([, count]) => count > 0);
  const all = here.every(([key]) => shown.has(key));
  const turn = (key: string, on: boolean): void => {
    const next = new Set(shown);
    if (on) next.add(key);
    else next.delete(key);
    onChange(next);
  };
  return (
    <fieldset className={styles.group}>
      <legend>{t('layers.families')}</legend>
      {here.length > 1 ? (
        <Checkbox
          checked={all}
          indeterminate={!all && here.some(([key]) => shown.has(key))}
          onChange={() =>
            onChange(
              all
                ? new Set([...shown].filter((key) => !counts.get(key)))
                : new Set([...shown, ...here.map(([key]) => key)]),
            )
          }
        >
          {t('layers.all')}
        </Checkbox>
      ) : null}
      {here.map(([key, count]) => (
        <div key={key} className={styles.layer}>
          <Checkbox checked={shown.has(key)} onChange={(event) => turn(key, event.target.checked)}>
            <span className={styles.named}>
              <Icon name={familyIcon(key)} size={14} />
              {names.family(key)}
            </span>
          </Checkbox>
          <span className={styles.number}>{formatNumber(count, i18n.language, 0)}</span>
        </div>
      ))}
    </fieldset>
  );
}

function States({
  counts,
  shown,
  onChange,
}: {
  counts: Readonly<Record<MapStateName, number>>;
  shown: ReadonlySet<MapStateName>;
  onChange: (states: readonly MapStateName[]) => void;
}) {
  const { t, i18n } = useTranslation('device-map');
  return (
    <fieldset className={styles.group}>
      <legend>{t('layers.states')}</legend>
      {mapStates.map((state) => (
        <div key={state} className={styles.layer}>
          <Checkbox
            checked={shown.has(state)}
            disabled={shown.has(state) && shown.size === 1}
            onChange={(event) =>
              onChange(mapStates.filter((one) => (one === state ? event.target.checked : shown.has(one))))
            }
          >
            <span className={styles.named}>
              <StateShape state={markOf(state)} />
              {t(`state.${state}`)}
            </span>
          </Checkbox>
          <span className={styles.number}>{formatNumber(counts[state], i18n.language, 0)}</span>
        </div>
      ))}
    </fieldset>
  );
}
