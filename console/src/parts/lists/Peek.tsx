import { Button } from 'antd';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { useEscape } from '../page/use-escape.ts';
import type { ListRow } from './batch.ts';
import type { ListColumn } from './columns.ts';
import styles from './peek.module.css';

interface Props<R> {
  row: R;
  columns: readonly ListColumn<R>[];
  panel: RefObject<HTMLElement | null>;
  actions?: ReactNode;
  onOpen?: ((row: R) => void) | undefined;
  onClose: () => void;
}

/**
 * A row beside its list: its state, every column it has, what can be done with it and the way to its page. The focus
 * stays in the list, so that J and K go on.
 */
export function Peek<R extends ListRow>({ row, columns, panel, actions, onOpen, onClose }: Props<R>) {
  const { t } = useTranslation('lists');
  useEscape(panel, onClose);
  const title = columns.find(({ always }) => always === true) ?? columns[0];
  const states = columns.filter(({ state }) => state === true);
  const rest = columns.filter((column) => column !== title && !states.includes(column));
  return (
    <aside ref={panel} className={styles.peek} tabIndex={-1} aria-label={t('peek.label')}>
      <div className={styles.head}>
        <b>{title?.cell(row)}</b>
        {states.map((column) => (
          <span key={column.key}>{column.cell(row)}</span>
        ))}
        <Button
          type="text"
          className={styles.close ?? ''}
          aria-label={t('peek.close')}
          title={t('peek.close')}
          icon={<Icon name="close" size={16} />}
          onClick={onClose}
        />
      </div>
      <dl className={styles.facts}>
        {rest.map((column) => (
          <div key={column.key}>
            <dt>{column.name}</dt>
            <dd>{column.cell(row) ?? '—'}</dd>
          </div>
        ))}
      </dl>
      {onOpen || actions ? (
        <div className={styles.foot}>
          {onOpen ? <Button onClick={() => onOpen(row)}>{t('peek.open')}</Button> : null}
          {actions}
        </div>
      ) : null}
    </aside>
  );
}
