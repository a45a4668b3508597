import { Button, Drawer } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../../frame/index.ts';
import { Card, Empty, ErrorState, Icon, Page, PageBar, RefreshBar, Skeleton, toast } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import { Tree } from '../../../parts/tree/index.ts';
import { useNarrow } from '../../../parts/page/use-narrow.ts';
import { inPreview } from '../../../session/index.ts';
import { DeleteOrganisation } from './DeleteOrganisation.tsx';
import { Details } from './Details.tsx';
import { FindOrganisation } from './FindOrganisation.tsx';
import { Actions, Line } from './Line.tsx';
import { isRoot, root, ruleAgainst, type Node } from './organisation.ts';
import { OrganisationDialog, type Task } from './OrganisationDialog.tsx';
import { useOrganisationTree } from './use-organisation-tree.ts';
import styles from './organisations.module.css';

/**
 * Organisations (specified 7.1): route name `organization-management`. The tree, and beside it who hangs on the chosen
 * node.
 */
export default function OrganisationManagement() {
  const { t } = useTranslation('organisations');
  const { t: menu } = useTranslation('menu');
  const tree = useOrganisationTree();
  const narrow = useNarrow();
  const may = { edit: usePermission('cscp.org.edit'), readOnly: inPreview() };
  const [selected, setSelected] = useState<number | null>(null);
  const [reveal, setReveal] = useState<{ id: number } | null>(null);
  const [task, setTask] = useState<Task | null>(null);
  const [removed, setRemoved] = useState<Node | null>(null);
  const nameOf = (node: Node): string => (isRoot(node) ? t('root') : node.orgName);
  const edit = (node: Node): void => {
    if (may.edit && !isRoot(node)) setTask({ parent: tree.find(node.parentId) ?? root, stored: node });
  };
  const add = (parent: Node): void => setTask({ parent, stored: null });
  const first = tree.source.childrenOf(root);
  const chosen = selected === null ? undefined : tree.find(selected);
  // On a desk somebody is always shown; on a phone the drawer waits for a tap.
  const shown = chosen ?? (narrow || typeof first === 'string' ? undefined : first[0]);
  const inDrawer = useLast(narrow && chosen ? chosen : null);
  const find = async (id: number, path: readonly number[]): Promise<void> => {
    try {
      await tree.openPath(path);
      setSelected(id);
      setReveal({ id });
    } catch {
      toast.failed(t('fetch.failed'));
    }
  };
  const actions = { may, nameOf, onAdd: add, onEdit: edit, onRemove: setRemoved };
  const pathOf = (node: Node): string[] => {
    const names: string[] = [];
    for (let at = tree.find(node.parentId); at && !isRoot(at); at = tree.find(at.parentId)) names.unshift(at.orgName);
    return names;
  };
  return (
    <Page>
      <PageBar
        title={menu('organization-management')}
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
      <div className={styles.split} data-alone={narrow || tree.error !== null || undefined}>
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
              <FindOrganisation onFound={(id, path) => void find(id, path)} />
              <Tree
                label={t('root')}
                source={tree.source}
                open={tree.open}
                onOpenChange={tree.setOpen}
                onRetry={tree.retry}
                textOf={nameOf}
                reveal={reveal}
                selected={shown?.id ?? null}
                onSelect={({ id }) => setSelected(id)}
                {...(may.edit ? { onActivate: edit } : {})}
                mayDrag={(node) => may.edit && !may.readOnly && !isRoot(node) && !tree.isMoving}
                mayDrop={(to) => {
                  const rule = ruleAgainst(to);
                  return rule && t(rule);
                }}
                onDrop={tree.drop}
                onRefused={(reason) => void toast.warning(reason)}
                {...(may.edit
                  ? {
                      renderActions: (node: Node, tabIndex: 0 | -1) => (
                        <Actions node={node} tabIndex={tabIndex} {...actions} />
                      ),
                    }
                  : {})}
              >
                {(node) => <Line node={node} name={nameOf(node)} />}
              </Tree>
              {Array.isArray(first) && first.length === 0 ? (
                <Empty
                  title={t('empty')}
                  text={t('empty.text')}
                  {...(may.edit && !may.readOnly
                    ? { action: { text: t('action.addFirst'), onClick: () => add(root) } }
                    : {})}
                />
              ) : null}
            </div>
          )}
        </Card>
        {narrow || tree.error ? null : (
          <aside className={styles.aside} aria-label={t('details')}>
            <Card>
              {shown && !isRoot(shown) ? (
                <Details node={shown} path={pathOf(shown)} {...actions} />
              ) : tree.isPending ? (
                <Skeleton rows={5} height={240} />
              ) : (
                <Empty title={t('details.none')} text={t('details.noneText')} />
              )}
            </Card>
          </aside>
        )}
      </div>
      {narrow ? (
        <Drawer
          open={chosen !== undefined && !isRoot(chosen) && task === null && removed === null}
          placement="bottom"
          size="min(78vh, 640px)"
          title={t('details')}
          onClose={() => setSelected(null)}
          destroyOnHidden
        >
          {inDrawer && !isRoot(inDrawer) ? <Details node={inDrawer} path={pathOf(inDrawer)} {...actions} /> : null}
        </Drawer>
      ) : null}
      <OrganisationDialog
        task={task}
        onClose={() => setTask(null)}
        onSaved={(id, { parent, stored }) => {
          if (stored) return;
          tree.setOpen(parent, true);
          if (!narrow) setSelected(id);
        }}
      />
      <DeleteOrganisation node={removed} onClose={() => setRemoved(null)} />
    </Page>
  );
}
