import { useTranslation } from 'react-i18next';
import { ChooseVersions, GoneVersion, type Difference } from '../../../../parts/form/index.ts';
import { checkedLeaves, useTreeNodes, type TreeNode } from './MenuTree.tsx';
import { useParents } from './use-parents.ts';
import { fields, valuesOf, type RoleField, type RoleValues, type Theirs } from './use-role-form.ts';
import styles from './role-form.module.css';

export type Chosen = RoleField | 'menus';

interface Props {
  mine: RoleValues;
  before: RoleValues;
  menus: { nodes: readonly TreeNode[]; leaves: ReadonlySet<number>; changed: boolean };
  /** Stored now; null: the role was deleted. */
  theirs: Theirs | null;
  onSettle: (keepMine: readonly Chosen[]) => void;
}

const labels = {
  name: 'field.name',
  roleExtent: 'field.extent',
  icon: 'field.icon',
  parentId: 'field.parent',
} as const;

/** The leaves by their way from the top. */
const waysOf = (nodes: readonly TreeNode[], above: readonly string[] = []): [number, string][] =>
  nodes.flatMap((node): [number, string][] => {
    const way = [...above, node.title];
    return node.items.length === 0 ? [[node.id, way.join(' / ')]] : waysOf(node.items, way);
  });

/** What each version grants beyond the other one; undefined: they grant the same. */
function useMenuDifference(menus: Props['menus'], theirs: Theirs): Difference<'menus'> | undefined {
  const { t } = useTranslation('roles');
  const theirNodes = useTreeNodes(theirs.menus);
  const granted = checkedLeaves(theirs.menus);
  const ways = [...new Map([...waysOf(menus.nodes), ...waysOf(theirNodes)])];
  const only = (these: ReadonlySet<number>, others: ReadonlySet<number>): string[] =>
    ways.filter(([id]) => these.has(id) && !others.has(id)).map(([, way]) => way);
  const [mine, now] = [only(menus.leaves, granted), only(granted, menus.leaves)];
  if (mine.length + now.length === 0) return undefined;
  return {
    field: 'menus',
    label: t('conflict.onlyHere'),
    mine: <Ways ways={mine} />,
    theirs: <Ways ways={now} />,
    mineByDefault: menus.changed,
  };
}

function Ways({ ways }: { ways: readonly string[] }) {
  const { t } = useTranslation('roles');
  return ways.length === 0 ? (
    t('conflict.nothingMore')
  ) : (
    <span className={styles.ways}>
      {ways.map((way) => (
        <span key={way}>{way}</span>
      ))}
    </span>
  );
}

/** Somebody else saved the role first: both versions line by line, menus too, and the choice. */
export function Versions({ theirs, ...rest }: Props) {
  const { t } = useTranslation('roles');
  return theirs === null ? <GoneVersion text={t('conflict.gone')} /> : <Compared theirs={theirs} {...rest} />;
}

function Compared({ mine, before, menus, theirs, onSettle }: Props & { theirs: Theirs }) {
  const { t } = useTranslation('roles');
  const { nameOf } = useParents(undefined);
  const menuDifference = useMenuDifference(menus, theirs);
  const now = valuesOf(theirs.role);
  const shown = (field: RoleField, values: RoleValues): string =>
    field === 'parentId' ? (nameOf(values.parentId) ?? t('parent.none')) : values[field] || '—';
  const differing: Difference<Chosen>[] = fields
    .filter((field) => now[field] !== mine[field])
    .map((field) => ({
      field,
      label: t(labels[field]),
      mine: shown(field, mine),
      theirs: shown(field, now),
      mineByDefault: mine[field] !== before[field],
    }));
  return (
    <ChooseVersions
      texts={{
        title: t('conflict.title'),
        text: t('conflict.text'),
        same: t('conflict.same'),
        what: t('conflict.what'),
        mine: t('conflict.mine'),
        theirs: t('conflict.theirs'),
        apply: t('conflict.apply'),
      }}
      differing={menuDifference ? [...differing, menuDifference] : differing}
      onSettle={onSettle}
    />
  );
}
