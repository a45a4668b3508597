import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { checkedLeaves, useTreeNodes, type TreeNode } from './MenuTree.tsx';
import { useParents } from './use-parents.ts';
import { fields, valuesOf, type RoleField, type RoleValues, type Theirs } from './use-role-form.ts';
import styles from './role-form.module.css';

const labels = { name: 'field.name', roleExtent: 'field.extent', icon: 'field.icon', parentId: 'field.parent' } as const;

interface Props {
  mine: RoleValues;
  nodes: readonly TreeNode[];
  leaves: ReadonlySet<number>;
  /** Stored now; null: the role was deleted. */
  theirs: Theirs | null;
  onSettle: (whose: 'mine' | 'theirs') => void;
  onGone: () => void;
}

/** The leaves by their way from the top. */
const waysOf = (nodes: readonly TreeNode[], above: readonly string[] = []): [number, string][] => nodes.flatMap((node): [number, string][] => {
  const way = [...above, node.title];
  return node.items.length === 0 ? [[node.id, way.join(' / ')]] : waysOf(node.items, way);
});

/** Somebody else saved the role first: both versions side by side, and which one to go on with. */
export function Versions({ theirs, onGone, ...rest }: Props) {
  const { t } = useTranslation('roles');
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section ref={panel} className={styles.versions} tabIndex={-1} role="alert">
      {theirs === null ? <><b>{t('conflict.gone')}</b><p><Button size="small" onClick={onGone}>{t('back')}</Button></p></> : <Compared theirs={theirs} {...rest} />}
    </section>
  );
}

function Compared({ mine, nodes, leaves, theirs, onSettle }: Omit<Props, 'theirs' | 'onGone'> & { theirs: Theirs }) {
  const { t } = useTranslation('roles');
  const { nameOf } = useParents(undefined);
  const theirNodes = useTreeNodes(theirs.menus);
  const now = valuesOf(theirs.role);
  const shown = (field: RoleField, values: RoleValues): string =>
    (field === 'parentId' ? (nameOf(values.parentId) ?? t('parent.none')) : values[field]);
  const granted = checkedLeaves(theirs.menus);
  const ways = [...new Map([...waysOf(nodes), ...waysOf(theirNodes)])];
  const only = (these: ReadonlySet<number>, others: ReadonlySet<number>): string[] => ways.filter(([id]) => these.has(id) && !others.has(id)).map(([, way]) => way);
  const [onlyTheirs, onlyMine] = [only(granted, leaves), only(leaves, granted)];
  const different = fields.filter((field) => now[field] !== mine[field]);
  const menusDiffer = onlyTheirs.length + onlyMine.length > 0;
  const same = different.length === 0 && !menusDiffer;
  return (
    <>
      <b>{t('conflict.title')}</b>
      <p>{t(same ? 'conflict.same' : 'conflict.text')}</p>
      {same ? null : (
        <table>
          <thead><tr><th scope="col">{t('conflict.field')}</th><th scope="col">{t('conflict.theirs')}</th><th scope="col">{t('conflict.mine')}</th></tr></thead>
          <tbody>
            {different.map((field) => <tr key={field}><th scope="row">{t(labels[field])}</th><td>{shown(field, now)}</td><td>{shown(field, mine)}</td></tr>)}
            {menusDiffer ? <tr><th scope="row">{t('conflict.onlyHere')}</th><td><Ways ways={onlyTheirs} /></td><td><Ways ways={onlyMine} /></td></tr> : null}
          </tbody>
        </table>
      )}
      <div className={styles.choices}>
        {same ? null : <Button size="small" onClick={() => onSettle('theirs')}>{t('conflict.takeTheirs')}</Button>}
        <Button size="small" onClick={() => onSettle('mine')}>{t(same ? 'conflict.goOn' : 'conflict.keepMine')}</Button>
      </div>
    </>
  );
}

const Ways = ({ ways }: { ways: readonly string[] }) => (ways.length === 0 ? '—' : <ul className={styles.ways}>{ways.map((way) => <li key={way}>{way}</li>)}</ul>);
