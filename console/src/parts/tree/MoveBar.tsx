import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import type { TreeNode } from './model.ts';
import type { Move } from './use-move.ts';
import styles from './tree.module.css';

interface Props<N extends TreeNode> {
  move: Move<N>;
  textOf: (node: N) => string;
  onStep: (by: number) => void;
  onPut: () => void;
  onGiveUp: () => void;
}

/** What is being moved and where it would land, with buttons for those who have no keys. */
export function MoveBar<N extends TreeNode>({ move, textOf, onStep, onPut, onGiveUp }: Props<N>) {
  const { t } = useTranslation('tree');
  return (
    <div className={styles.bar} role="group" aria-label={t('move.title', { name: textOf(move.row.node) })}>
      <p>
        <b>{t('move.title', { name: textOf(move.row.node) })}</b>
        <span>{t(`move.at.${move.place.where}`, { name: textOf(move.place.row.node) })}</span>
        <small>{t('move.hint')}</small>
      </p>
      <span className={styles.barButtons}>
        <Button
          size="small"
          aria-label={t('move.previous')}
          title={t('move.previous')}
          icon={<Icon name="up" size={14} />}
          disabled={move.position === 1}
          onClick={() => onStep(-1)}
        />
        <Button
          size="small"
          aria-label={t('move.next')}
          title={t('move.next')}
          icon={<Icon name="down" size={14} />}
          disabled={move.position === move.count}
          onClick={() => onStep(1)}
        />
        <Button size="small" type="primary" onClick={onPut}>
          {t('move.put')}
        </Button>
        <Button size="small" onClick={onGiveUp}>
          {t('move.giveUp')}
        </Button>
      </span>
    </div>
  );
}
