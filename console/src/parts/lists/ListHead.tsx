import { Button } from 'antd';
import { use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons/Icon.tsx';
import { ListHeadContext } from '../page/list-head.ts';
import styles from './list.module.css';

interface Props {
  count: ReactNode;
  /** Beside the count while the rows are asked again. */
  doing?: ReactNode;
  /** Chips after the count: columns folded away, views. */
  chips?: ReactNode;
  /** Saved views; on a list page alone. */
  views?: ReactNode;
  tools: ReactNode;
}

/** Count and tools of a list: in the head of a list page, else in a bar of its own above the rows. */
export function ListHead({ count, doing, chips, views, tools }: Props) {
  const head = use(ListHeadContext);
  const first = (
    <>
      <span className={styles.count} role="status">
        {count}
      </span>
      {doing === undefined ? null : <span className={styles.doing}>{doing}</span>}
      {chips}
    </>
  );
  const last = <span className={styles.tools}>{tools}</span>;
  if (head === null)
    return (
      <div className={styles.bar}>
        {first}
        {last}
      </div>
    );
  return (
    <>
      {head.count ? createPortal(first, head.count) : null}
      {head.views && views ? createPortal(views, head.views) : null}
      {head.tools ? createPortal(last, head.tools) : null}
    </>
  );
}

/** Says how many columns of the page are empty and folded away; a press shows them. */
export function EmptyColumns({
  names,
  shown,
  onTurn,
}: {
  names: readonly string[];
  shown: boolean;
  onTurn: () => void;
}) {
  const { t } = useTranslation('lists');
  return names.length === 0 ? null : (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={shown}
      title={names.join(t('batch.separator'))}
      onClick={onTurn}
    >
      <Icon name="columns" size={12} />
      {t('columns.empty', { n: names.length })}
    </button>
  );
}

/** Asks the rows again. */
export function RefreshButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('declared');
  return (
    <Button
      type="text"
      aria-label={t('list.refresh')}
      title={t('list.refresh')}
      icon={<Icon name="retry" />}
      onClick={onClick}
    />
  );
}
