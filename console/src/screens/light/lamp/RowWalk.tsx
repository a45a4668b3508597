import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { getLamp } from '../../../../../contract/light/lamps.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { Icon } from '../../../parts/index.ts';
import styles from './device.module.css';

type Row = NonNullable<ReplyOf<typeof getLamp>['row']>;

/** Where the lamp stands in its row, and the way to its neighbours. */
export function RowWalk({ row, onWalk }: { row: Row; onWalk: (id: number) => void }) {
  const { t } = useTranslation('lamp');
  const { t: strip } = useTranslation('row-strip');
  const step = (which: 'previous' | 'next') => {
    const lamp = row[which];
    return (
      <Button
        disabled={lamp === null}
        aria-label={t(lamp === null ? `walk.${which}.none` : `walk.${which}`, { code: lamp?.code ?? '' })}
        onClick={() => (lamp === null ? undefined : onWalk(lamp.id))}
      >
        <Icon name={which === 'next' ? 'right' : 'left'} size={14} />
        <span className="code">{lamp?.code ?? '—'}</span>
      </Button>
    );
  };
  return (
    <nav className={styles.walk} aria-label={t('walk.title')}>
      {step('previous')}
      <span>{t('walk.place', { side: strip(`side.${row.side}`), n: row.position, of: row.poles })}</span>
      {step('next')}
    </nav>
  );
}
