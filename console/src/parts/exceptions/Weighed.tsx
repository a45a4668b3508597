import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errors } from '../../../../contract/errors.ts';
import { ApiError } from '../../api/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { Alert, formatPercent } from '../index.ts';
import { lampsOf, useExceptionWords, weighedOf, type BelowFloor, type Exception, type Weighed } from './words.ts';

/** What a refused agreement found; null: it was refused for something else. */
export function weighedOfRefusal(error: unknown): Weighed | null {
  if (!(error instanceof ApiError) || error.code !== errors.changedMeanwhile.code) return null;
  const [belowFloor, darkens, digest] = ['belowFloor', 'darkens', 'digest'].map((of) => error.problem?.[of]);
  if (!Array.isArray(belowFloor) || typeof darkens !== 'number' || typeof digest !== 'string') return null;
  return { below: belowFloor as BelowFloor, darkens, digest };
}

/** What is agreed to. What was not shown when the dialog opened has to be ticked first. */
export function useWeighed(row: Exception) {
  const stored = weighedOf(row);
  const [known, setKnown] = useState({ row: stored.digest, shown: stored });
  const [agreed, setAgreed] = useState(stored.digest);
  const [opened] = useState(stored);
  // Another answer for the row shows as soon as it arrives.
  if (stored.digest !== known.row) setKnown({ row: stored.digest, shown: stored });
  const { shown } = known;
  const numbers = ({ below, darkens }: Weighed): string => JSON.stringify([below, darkens]);
  const changed = shown.digest !== opened.digest;
  return {
    shown,
    changed,
    /** The numbers are the same, the lamps are not. */
    others: changed && numbers(shown) === numbers(opened),
    ticked: shown.digest === agreed,
    tick: (on: boolean): void => setAgreed(on ? shown.digest : ''),
    find: (found: Weighed): void => setKnown({ ...known, shown: found }),
  };
}

/** Lamps that get darker, and those below the floor by class of road; where they changed under the dialog, with the tick. */
export function WeighedList({ of }: { of: ReturnType<typeof useWeighed> }) {
  const { t, i18n } = useTranslation('exceptions');
  const names = useNames();
  const { number } = useExceptionWords();
  const percent = (level: number): string => formatPercent(level, i18n.language, Number.isInteger(level) ? 0 : 1);
  const { shown, changed, others, ticked, tick } = of;
  const [below, darkens] = [lampsOf(shown.below), shown.darkens];
  if (below === 0 && darkens === 0 && !changed) return null;
  const [what, n] = below > 0 ? (['below', below] as const) : (['darkens', darkens] as const);
  return (
    <Alert kind={changed ? 'problem' : 'note'} title={t(changed ? `${what}.changed` : what, { n: number(n) })}>
      {below > 0 || others ? (
        <ul>
          {others ? <li>{t('below.others')}</li> : null}
          {shown.below.map(({ roadClass, lamps, floor, level }) => (
            <li key={roadClass}>
              {t('below.class', {
                road: names.option('roadClass', roadClass),
                n: number(lamps),
                level: percent(level),
                floor: percent(floor),
              })}
            </li>
          ))}
          {below > 0 ? <li>{t('darkens', { n: number(darkens) })}</li> : null}
        </ul>
      ) : null}
      {changed ? (
        <Checkbox checked={ticked} onChange={({ target }) => tick(target.checked)}>
          {t('below.tick')}
        </Checkbox>
      ) : null}
    </Alert>
  );
}
