import { Button, Input } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RoleMenuNode } from '../../../../../../contract/specified/roles.ts';
import { useMenuTitle } from '../../../../frame/menu/menu-context.ts';
import { CheckTree, allLeaves, type CheckNode } from '../../../../parts/check-tree/index.ts';
import { Empty, Icon } from '../../../../parts/index.ts';
import styles from './role-form.module.css';

export type TreeNode = CheckNode & { readonly code: string | null; readonly items: readonly TreeNode[] };

/** The server's tree with titles in the language in force: translation first, else the title (specified 4.6). */
export function useTreeNodes(items: readonly RoleMenuNode[] | undefined): readonly TreeNode[] {
  const titleOf = useMenuTitle();
  return useMemo(() => {
    const read = (node: RoleMenuNode): TreeNode => ({
      id: node.id,
      title: titleOf(node),
      code: node.permissionCode,
      items: (node.items ?? []).map(read),
    });
    return (items ?? []).map(read);
  }, [items, titleOf]);
}

/** The leaves that are granted. */
export const checkedLeaves = (items: readonly RoleMenuNode[]): Set<number> =>
  new Set(
    items.flatMap((node) =>
      node.items === undefined ? (node.checked ? [node.id] : []) : [...checkedLeaves(node.items)],
    ),
  );

const parents = (nodes: readonly CheckNode[]): number[] =>
  nodes.flatMap((node) => (node.items.length === 0 ? [] : [node.id, ...parents(node.items)]));

interface Props {
  nodes: readonly TreeNode[];
  leaves: ReadonlySet<number>;
  onChange: (leaves: ReadonlySet<number>) => void;
  disabled: boolean;
  label: string;
}

/** The checkbox tree with its tools: filter, all, none, open, fold. */
export function MenuTree({ nodes, leaves, onChange, disabled, label }: Props) {
  const { t } = useTranslation('roles');
  const [filter, setFilter] = useState('');
  const [folded, setFolded] = useState<ReadonlySet<number>>(
    () => new Set(nodes.flatMap(({ items }) => parents(items))),
  );
  const every = useMemo(() => allLeaves(nodes), [nodes]);
  if (nodes.length === 0) return <Empty title={t('menus.none')} text={t('menus.noneText')} />;
  return (
    <>
      <div className={styles.tools}>
        <Input
          className={styles.filter ?? ''}
          allowClear
          size="small"
          prefix={<Icon name="search" size={13} />}
          value={filter}
          placeholder={t('menus.filter')}
          aria-label={t('menus.filter')}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Button size="small" disabled={disabled} onClick={() => onChange(every)}>
          {t('menus.all')}
        </Button>
        <Button size="small" disabled={disabled} onClick={() => onChange(new Set())}>
          {t('menus.nothing')}
        </Button>
        <Button
          size="small"
          type="text"
          onClick={() => setFolded(folded.size > 0 ? new Set() : new Set(parents(nodes)))}
        >
          {t(folded.size > 0 ? 'menus.unfold' : 'menus.fold')}
        </Button>
        <span className={styles.count} role="status">
          {t('menus.count', { n: [...leaves].filter((id) => every.has(id)).length, total: every.size })}
        </span>
      </div>
      <CheckTree
        label={label}
        nodes={nodes}
        leaves={leaves}
        onChange={onChange}
        folded={folded}
        onFold={setFolded}
        filter={filter}
        disabled={disabled}
      />
    </>
  );
}
