import { Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errors } from '../../../../contract/errors.ts';
import { ApiError } from '../../api/index.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import { Alert, formatPercent } from '../index.ts';
import { belowFloorOf, lampsOf, useExceptionWords, type BelowFloor, type Exception } from './words.ts';

/** What a refused agreement found below the floors; null: it was refused for something else. */
export function belowOfRefusal(error: unknown): BelowFloor | null {
  if (!(error instanceof ApiError) || error.code !== errors.changedMeanwhile.code) return null;
  const found = error.problem?.['belowFloor'];
  return Array.isArray(found) ? (found as BelowFloor) : null;
}

/** What is agreed to below the floors of roads. What was not shown when the dialog opened has to be ticked first. */
export function useBelowFloor(row: Exception) {
  const stored = belowFloorOf(row);
  const [known, setKnown] = useState({ row: JSON.stringify(stored), below: stored });
  const [agreed, setAgreed] = useState(known.row);
  // Another answer for the row counts as soon as it arrives: its numbers are those that the server agrees by.
  if (JSON.stringify(stored) !== known.row) setKnown({ row: JSON.stringify(stored), below: stored });
  const { below } = known;
  const now = JSON.stringify(below);
  const [opened] = useState(now);
  return {
    below,
    changed: now !== opened,
    ticked: now === agreed,
    tick: (on: boolean): void => setAgreed(on ? now : ''),
    find: (found: BelowFloor): void => setKnown({ ...known, below: found }),
  };
}

/** Lamps below the floor by class of road; where they changed under the dialog, with the tick. */
export function BelowFloorList({ of }: { of: ReturnType<typeof useBelowFloor> }) {
  const { t, i18n } = useTranslation('exceptions');
  const names = useNames();
  const { number } = useExceptionWords();
  const percent = (level: number): string => formatPercent(level, i18n.language, Number.isInteger(level) ? 0 : 1);
  const { below, changed, ticked, tick } = of;
  if (below.length === 0 && !changed) return null;
  return (
    <Alert
      kind={changed ? 'problem' : 'note'}
      title={t(changed ? 'below.changed' : 'below', { n: number(lampsOf(below)) })}
    >
      <ul>
        {below.map(({ roadClass, lamps, floor, level }) => (
          <li key={roadClass}>
            {t('below.class', {
              road: names.option('roadClass', roadClass),
              n: number(lamps),
              level: percent(level),
              floor: percent(floor),
            })}
          </li>
        ))}
      </ul>
      {changed ? (
        <Checkbox checked={ticked} onChange={({ target }) => tick(target.checked)}>
          {t('below.tick')}
        </Checkbox>
      ) : null}
    </Alert>
  );
}
