import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { componentKey } from '../../../frame/menu/menu.ts';
import { useMenu, useMenuTitle } from '../../../frame/menu/menu-context.ts';
import {
  Card,
  ErrorState,
  Icon,
  iconNameOf,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  toast,
  type IconName,
} from '../../../parts/index.ts';
import { Tree, TreeButton } from '../../../parts/tree/index.ts';
import { currentTag, inPreview } from '../../../session/index.ts';
import { NodeDialog, type NodeTask } from './NodeDialog.tsx';
import { isPageType, isRoot, root, ruleAgainst, titleIn, typesBelow, type Node } from './node.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { useMenuTree } from './use-menu-tree.ts';
import styles from './menus.module.css';

/** What a node is called in the language in force, as the menu says it. */
function useNameOf(): (node: Node) => string {
  const { t } = useTranslation('menus');
  const titleOf = useMenuTitle();
  return (node) =>
    isRoot(node) ? t('root') : titleOf({ title: titleIn(node, currentTag()), language: node.language });
}

/** Menu (async route) configuration (specified 5.1): route name `async-routes-config`. */
export default function MenuConfiguration() {
  const { t } = useTranslation('menus');
  const { t: menu } = useTranslation('menu');
  const nameOf = useNameOf();
  const tree = useMenuTree();
  const [task, setTask] = useState<NodeTask | null>(null);
  const [removed, setRemoved] = useState<Node | null>(null);
  const readOnly = inPreview();
  const edit = (node: Node): void => {
    if (!isRoot(node)) setTask({ parent: tree.find(node.parentId) ?? root, stored: node });
  };
  return (
    <Page>
      <PageBar
        title={menu('async-routes-config')}
        note={t('hint')}
        actions={
          <>
            <Button icon={<Icon name="shrink" size={14} />} onClick={tree.closeAll}>
              {t('closeAll')}
            </Button>
            <Button icon={<Icon name="retry" size={14} />} onClick={() => void tree.refresh()}>
              {t('refresh')}
            </Button>
          </>
        }
      />
      <Card flush>
        <RefreshBar active={tree.isFetching && !tree.isPending} />
        {tree.error ? (
          <ErrorState title={t('fetch.failed')} error={tree.error} onRetry={tree.refresh} />
        ) : tree.isPending ? (
          <div className={styles.waiting}>
            <Skeleton rows={8} height={320} />
          </div>
        ) : (
          <div className={styles.tree}>
            <Tree
              label={t('root')}
              source={tree.source}
              open={tree.open}
              onOpenChange={tree.setOpen}
              onRetry={tree.retry}
              textOf={nameOf}
              onActivate={edit}
              mayDrag={(node) => !isRoot(node) && !readOnly && !tree.isMoving}
              mayDrop={(to) => {
                const rule = ruleAgainst(to);
                return (
                  rule &&
                  t(rule, { name: nameOf(to.node), parent: nameOf(to.parent ?? root), type: t(`type.${to.node.type}`) })
                );
              }}
              onDrop={tree.drop}
              onRefused={(reason) => void toast.warning(reason)}
              renderActions={(node, tabIndex) => (
                <Actions
                  {...{ node, tabIndex, readOnly }}
                  name={nameOf(node)}
                  onAdd={() => setTask({ parent: node, stored: null })}
                  onRemove={() => setRemoved(node)}
                  onEdit={() => edit(node)}
                />
              )}
            >
              {(node) => <Line node={node} name={nameOf(node)} />}
            </Tree>
          </div>
        )}
      </Card>
      <NodeDialog
        task={task}
        nameOf={nameOf}
        onClose={() => setTask(null)}
        onSaved={(_id, { parent, stored }) => {
          if (!stored) tree.setOpen(parent, true);
        }}
      />
      <RemoveDialog node={removed} nameOf={nameOf} onClose={() => setRemoved(null)} />
    </Page>
  );
}

/** Icon and name, then what it is and where it leads. */
function Line({ node, name }: { node: Node; name: string }) {
  const { t } = useTranslation('menus');
  const { known } = useMenu();
  if (isRoot(node))
    return (
      <span className={styles.name}>
        <Icon name="menu" size={15} />
        {name}
      </span>
    );
  const leads = node.type === 'menu2' || node.type === 'non-menu';
  const works =
    !leads ||
    known === undefined ||
    known.builtIn.has(node.name) ||
    known.components.has(componentKey(node.component ?? ''));
  return (
    <>
      <span className={styles.name}>
        <Icon name={node.type === 'button' ? 'target' : iconNameOf(node.icon)} size={15} />
        {name}
      </span>
      <span className={styles.type}>{t(`type.${node.type}`)}</span>
      {isPageType(node.type) && node.url ? <code className={styles.where}>{node.url}</code> : null}
      {node.permissionCode ? <code className={styles.where}>{node.permissionCode}</code> : null}
      {works ? null : (
        <span className={styles.missing} title={t('component.missing')}>
          <Icon name="warning" size={13} />
          {t('line.noPage')}
        </span>
      )}
    </>
  );
}

interface ActionsProps {
  node: Node;
  name: string;
  tabIndex: 0 | -1;
  readOnly: boolean;
  onAdd: () => void;
  onRemove: () => void;
  onEdit: () => void;
}

/** Add, remove and edit of one node; the root is only added to, and nothing stands below a button. */
function Actions({ node, name, tabIndex, readOnly, onAdd, onRemove, onEdit }: ActionsProps) {
  const { t } = useTranslation('menus');
  const button = (key: 'add' | 'remove' | 'edit', icon: IconName, onClick: () => void) => (
    <TreeButton
      icon={icon}
      label={t(`action.${key}`, { name })}
      tabIndex={tabIndex}
      disabled={readOnly}
      onClick={onClick}
    />
  );
  return (
    <>
      {typesBelow(node).length > 0 ? button('add', 'plus', onAdd) : null}
      {isRoot(node) ? null : button('remove', 'trash', onRemove)}
      {isRoot(node) ? null : button('edit', 'edit', onEdit)}
    </>
  );
}
