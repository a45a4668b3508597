import { Button, Modal } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { publicationBounds } from '../../../../contract/light/publications.ts';
import { loadChunk } from '../../api/load-chunk.ts';
import { formatNumber } from '../../locales/format-number.ts';
import { useTypedInput } from '../declared/use-typed-input.ts';
import { Icon } from '../icons/Icon.tsx';
import { useWebGl } from '../map/webgl.ts';
import { Empty, Skeleton } from '../notices/Notices.tsx';
import styles from './choose-lamps.module.css';

const ChoiceMap = lazy(() => loadChunk('map', () => import('./ChoiceMap.tsx')));

interface Props {
  chosen: readonly number[];
  onChoose: (ids: readonly number[]) => void;
  onClose: () => void;
}

/** Lamps chosen on the map by areas, rectangles and clicks, counted at once. The map is loaded when this opens. */
export function LampMapDialog({ chosen, onChoose, onClose }: Props) {
  const { t, i18n } = useTranslation('choose-lamps');
  const [ids, setIds] = useState<ReadonlySet<number>>(() => new Set(chosen));
  const [canDraw, again] = useWebGl();
  const { setTyped, guard } = useTypedInput(true, t('title'));
  const change = (next: ReadonlySet<number>): void => {
    setIds(next);
    setTyped(true);
  };
  const leave = (): void => guard(onClose);
  const most = publicationBounds.devices;
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const tooMany = ids.size > most;
  return (
    <Modal
      open
      title={t('title')}
      className={styles.dialog ?? ''}
      width={{ xs: '100%', sm: '100%', md: '94%', xl: 1160 }}
      centered
      onCancel={leave}
      destroyOnHidden
      footer={
        <div className={styles.foot}>
          <span role="status" className={styles.count} data-bad={tooMany || undefined}>
            {tooMany ? <Icon name="warning" size={13} /> : null}
            {t('count', { n: number(ids.size) })}
            {tooMany ? ` · ${t('most', { n: number(most) })}` : ''}
          </span>
          <Button type="text" disabled={ids.size === 0} onClick={() => change(new Set())}>
            {t('clear')}
          </Button>
          <Button onClick={leave}>{t('back')}</Button>
          <Button type="primary" disabled={ids.size === 0 || tooMany} onClick={() => onChoose([...ids])}>
            {t('ok')}
          </Button>
        </div>
      }
    >
      <div className={styles.stage}>
        {canDraw ? (
          <Suspense fallback={<Skeleton rows={6} height={320} />}>
            <ChoiceMap ids={ids} onChange={change} />
          </Suspense>
        ) : (
          <Empty title={t('noMap')} text={t('noMapText')} action={{ text: t('again'), onClick: again }} />
        )}
      </div>
    </Modal>
  );
}
