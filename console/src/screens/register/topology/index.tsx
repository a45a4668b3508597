import { Button, Segmented } from 'antd';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { treeNames, type TreeName } from '../../../../../catalogue/topology.ts';
import { useDeviceAddress, useOpen, usePageExists, usePermission } from '../../../frame/index.ts';
import {
  Card,
  Empty,
  ErrorState,
  formatNumber,
  Icon,
  Page,
  PageBar,
  RefreshBar,
  Skeleton,
  toast,
  useFirstStep,
} from '../../../parts/index.ts';
import { Tree, TreeButton } from '../../../parts/tree/index.ts';
import { useAddress } from '../../../parts/page/use-address.ts';
import { inPreview } from '../../../session/index.ts';
import { FindNode } from './FindNode.tsx';
import { mayMove, mayStand, type Item, type Node } from './item.ts';
import { areas, Line, useNodeName } from './Line.tsx';
import { MoveDialog, type Moving } from './MoveDialog.tsx';
import { useTopologyTree } from './use-tree.ts';
import styles from './topology.module.css';

/**
 * The trees of power, communication and mounting: what hangs on what, level by level, and branches moved by hand or by
 * keys.
 */
export default function Topology() {
  const { t } = useTranslation(areas);
  const { t: menu } = useTranslation('menu');
  const [params, put] = useAddress();
  const tree = treeNames.find((name) => name === params.get('tree')) ?? 'power';
  const show = (next: TreeName): void => put({ tree: next === 'power' ? null : next, at: null });
  return (
    <Page>
      <PageBar
        title={menu('asset/topology')}
        note={t('hint')}
        actions={
          <Segmented
            aria-label={t('views')}
            value={tree}
            onChange={show}
            options={treeNames.map((value) => ({ value, label: t(`tree.${value}`) }))}
          />
        }
      />
      <OneTree key={tree} tree={tree} at={params.get('at')} onTaken={() => put({ at: null })} />
    </Page>
  );
}

/**
 * `at`: the node that a link asks for, once; it is taken out of the address, so that the same link works again and
 * showing the tab again does not.
 */
function OneTree({ tree, at, onTaken }: { tree: TreeName; at: string | null; onTaken: () => void }) {
  const first = useFirstStep();
  const { t, i18n } = useTranslation(areas);
  const state = useTopologyTree(tree);
  const nameOf = useNodeName(tree);
  const may = usePermission('device.edit') && !inPreview();
  const [reveal, setReveal] = useState<{ id: number } | null>(null);
  const [marked, setMarked] = useState<ReadonlyMap<string, Node>>(new Map());
  const [moving, setMoving] = useState<Moving | null>(null);
  const [serial, setSerial] = useState(0);
  const begin = (what: Omit<Moving, 'serial'>): void => {
    setSerial(serial + 1);
    setMoving({ ...what, serial });
  };
  const openNode = useOpenNode();
  const go = async (key: string): Promise<void> => {
    try {
      const id = await state.reveal(key);
      if (id === null) toast.warning(t('find.gone'));
      else setReveal({ id });
    } catch {
      toast.failed(t('find.failed'));
    }
  };
  const goThere = useEffectEvent((key: string) => {
    onTaken();
    if (/^(device|loop|road):\d{1,15}$/.test(key)) void go(key);
  });
  useEffect(() => {
    if (at !== null) goThere(at);
  }, [at]);
  const textOf = (item: Item): string =>
    item.node
      ? nameOf(item.node)
      : t(item.more?.step === 1 ? 'more.next' : 'more.previous', {
          n: formatNumber(item.more?.left ?? 0, i18n.language, 0),
        });
  const activate = (item: Item): void => {
    if (item.more) state.more(item);
    else if (item.node) openNode(item.node);
  };
  const mark = (node: Node): void =>
    setMarked((before) => {
      const next = new Map(before);
      if (!next.delete(node.key)) next.set(node.key, node);
      return next;
    });
  const together = (node: Node): readonly Node[] => (marked.has(node.key) ? [...marked.values()] : [node]);
  const moved = (nodes: readonly Node[]): void => {
    setMoving(null);
    setMarked(new Map());
    const [first] = nodes;
    if (first) void state.refresh().then(() => go(first.key));
  };
  const actions = (item: Item, tabIndex: 0 | -1) => {
    const { node } = item;
    if (!node)
      return (
        <TreeButton
          icon={item.more?.failed ? 'retry' : item.more?.step === 1 ? 'down' : 'up'}
          label={textOf(item)}
          tabIndex={tabIndex}
          onClick={() => state.more(item)}
        />
      );
    if (node.kind === 'group') return null;
    return (
      <>
        <TreeButton
          icon="eye"
          label={t('action.open', { name: nameOf(node) })}
          tabIndex={tabIndex}
          onClick={() => openNode(node)}
        />
        {may && mayMove(tree, node) ? (
          <TreeButton
            icon={marked.has(node.key) ? 'check' : 'plus'}
            label={t(marked.has(node.key) ? 'action.unmark' : 'action.mark', { name: nameOf(node) })}
            tabIndex={tabIndex}
            onClick={() => mark(node)}
          />
        ) : null}
        {may && mayMove(tree, node) ? (
          <TreeButton
            icon="navigate"
            label={t('action.move', { name: nameOf(node) })}
            tabIndex={tabIndex}
            onClick={() => begin({ nodes: together(node) })}
          />
        ) : null}
      </>
    );
  };
  return (
    <Card flush>
      <RefreshBar active={state.isFetching && !state.isPending} />
      <div className={styles.bar}>
        <div className={styles.find}>
          <FindNode tree={tree} label={t('find')} onFound={({ key }) => void go(key)} />
        </div>
        <Button icon={<Icon name="shrink" size={14} />} onClick={state.closeAll}>
          {t('closeAll')}
        </Button>
        <Button icon={<Icon name="retry" size={14} />} onClick={() => void state.refresh()}>
          {t('refresh')}
        </Button>
      </div>
      {marked.size > 0 ? (
        <div className={styles.marked} role="status">
          <span>{t('marked', { n: formatNumber(marked.size, i18n.language, 0) })}</span>
          <Button type="primary" size="small" onClick={() => begin({ nodes: [...marked.values()] })}>
            {t('marked.move')}
          </Button>
          <Button size="small" onClick={() => setMarked(new Map())}>
            {t('marked.clear')}
          </Button>
        </div>
      ) : null}
      {state.error ? (
        <ErrorState title={t('fetch.failed')} error={state.error} onRetry={state.refresh} />
      ) : state.isPending ? (
        <div className={styles.waiting}>
          <Skeleton rows={8} height={320} />
        </div>
      ) : state.roots.length === 0 ? (
        <Empty ofProjects title={t(`empty.${tree}`)} text={t('empty.text')} {...first} />
      ) : (
        <div className={styles.tree}>
          <Tree
            label={t(`tree.${tree}`)}
            source={state.source}
            open={state.open}
            onOpenChange={state.setOpen}
            onRetry={state.retry}
            textOf={textOf}
            reveal={reveal}
            onActivate={activate}
            renderActions={actions}
            mayDrag={({ node }) => may && node !== null && mayMove(tree, node)}
            mayDrop={({ node, target, where, parent }) =>
              where === 'inside' &&
              node.node &&
              target.node &&
              mayStand(tree, node.node, target.node) &&
              node.level !== target.node.key
                ? undefined
                : where === 'inside' || parent === undefined
                  ? t('drop.never', { name: textOf(where === 'inside' ? target : node) })
                  : t('drop.inside')
            }
            onDrop={({ node, target }) => {
              if (node.node && target.node) begin({ nodes: together(node.node), to: target.node });
            }}
            onRefused={(reason) => void toast.warning(reason)}
          >
            {(item) => (
              <>
                <Line tree={tree} item={item} />
                {item.node && marked.has(item.node.key) ? (
                  <span className={styles.badge}>{t('marked.one')}</span>
                ) : null}
              </>
            )}
          </Tree>
        </div>
      )}
      <MoveDialog tree={tree} moving={moving} onClose={() => setMoving(null)} onMoved={moved} />
    </Card>
  );
}

/** The page of a node: a device's own, of a loop or road the list with it open. */
function useOpenNode(): (node: Node) => void {
  const open = useOpen();
  const exists = usePageExists();
  const pageOf = useDeviceAddress();
  return ({ kind, id, family }) => {
    if (id === null) return;
    const list = kind === 'loop' ? 'asset/loops' : 'asset/roads';
    const address = kind === 'device' ? pageOf(family, id) : undefined;
    if (address !== undefined) open(address);
    else if (kind !== 'device' && exists(list)) open(list, { search: `?open=${id}` });
  };
}
