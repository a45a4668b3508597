import { useTranslation } from 'react-i18next';
import { formatNumber, Icon, type IconName } from '../../../parts/index.ts';
import { TreeButton } from '../../../parts/tree/index.ts';
import { isRoot, type Node } from './organisation.ts';
import styles from './organisations.module.css';

/** What may be done with a node, and who asks for it. */
export interface NodeActions {
  may: { edit: boolean; readOnly: boolean };
  nameOf: (node: Node) => string;
  onAdd: (node: Node) => void;
  onEdit: (node: Node) => void;
  onRemove: (node: Node) => void;
}

/** Name and description, then how many people and work groups hang on it. */
export function Line({ node, name }: { node: Node; name: string }) {
  const { t, i18n } = useTranslation('organisations');
  const count = (key: 'line.people' | 'line.groups', icon: IconName, n: number) =>
    n === 0 ? null : (
      <span className={styles.count}>
        <Icon name={icon} size={13} />
        {t(key, { n: formatNumber(n, i18n.language, 0) })}
      </span>
    );
  if (isRoot(node))
    return (
      <span className={styles.name}>
        <Icon name="organisation" size={15} />
        {name}
      </span>
    );
  return (
    <>
      <span className={styles.name}>
        <Icon name="building" size={15} />
        {name}
      </span>
      {node.description ? <span className={styles.description}>{node.description}</span> : null}
      {count('line.people', 'user', node.people)}
      {count('line.groups', 'team', node.groups)}
    </>
  );
}

/** Add child, remove and edit of one node; the root is only added to (specified 7.1). */
export function Actions({
  node,
  tabIndex,
  may,
  nameOf,
  onAdd,
  onEdit,
  onRemove,
}: NodeActions & { node: Node; tabIndex: 0 | -1 }) {
  const { t } = useTranslation('organisations');
  const button = (key: 'add' | 'remove' | 'edit', icon: IconName, onClick: (node: Node) => void) => (
    <TreeButton
      icon={icon}
      label={t(`action.${key}`, { name: nameOf(node) })}
      tabIndex={tabIndex}
      disabled={may.readOnly}
      onClick={() => onClick(node)}
    />
  );
  return (
    <>
      {button('add', 'plus', onAdd)}
      {isRoot(node) ? null : button('remove', 'trash', onRemove)}
      {isRoot(node) ? null : button('edit', 'edit', onEdit)}
    </>
  );
}
