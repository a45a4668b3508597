import { Button, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { formatList } from '../../../parts/index.ts';
import { placeOf } from '../../../parts/row-strip/strip.ts';
import { comingNext, placedAfter, type Edited, type Pole } from './edit-rows.ts';
import styles from './rows.module.css';

/** So many poles stand as buttons; all others are in the list below them. */
const near = 4;

interface Props {
  readonly edited: Edited;
  /** The pole that the crew stands at. */
  readonly id: number;
  readonly onWalk: (next: Edited, id: number) => void;
}

/** Correcting the order beside the road: at each pole the crew says which one comes next, and goes on to it. */
export function Walk({ edited, id, onWalk }: Props) {
  const { t, i18n } = useTranslation('rows');
  const place = placeOf(edited.rows, id);
  const coming = place === undefined ? [] : comingNext(edited, place);
  const row = edited.rows.find((one) => one.side === place?.side)?.poles ?? [];
  const here = place === undefined ? undefined : row[place.index];
  if (!place || !here) return null;
  const after = row[place.index + 1];
  const labelOf = ({ code, lamps }: Pole): string =>
    lamps.length === 0
      ? code
      : `${code} · ${formatList(
          lamps.map((lamp) => lamp.code),
          i18n.language,
        )}`;
  const take = (next: number): void => onWalk(next === after?.id ? edited : placedAfter(edited, next, place), next);
  const rest = coming.slice(near);
  return (
    <section className={styles.walk} aria-label={t('walk.title')}>
      <p className={styles.note} aria-live="polite">
        {t('walk.here', { code: here.code })}
      </p>
      {coming.slice(0, near).map((pole) => (
        <Button key={pole.id} type={pole.id === after?.id ? 'primary' : 'default'} block onClick={() => take(pole.id)}>
          {t(pole.id === after?.id ? 'walk.asIs' : 'walk.next', { pole: labelOf(pole) })}
        </Button>
      ))}
      {rest.length === 0 ? null : (
        <Select<number | null>
          aria-label={t('walk.other')}
          placeholder={t('walk.other')}
          value={null}
          showSearch={{ optionFilterProp: 'label' }}
          options={rest.map((pole) => ({ value: pole.id, label: labelOf(pole) }))}
          onChange={(next) => (next === null ? undefined : take(next))}
        />
      )}
    </section>
  );
}
