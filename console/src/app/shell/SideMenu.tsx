import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Icon } from '../../parts/index.ts';
import { iconNameOf } from '../../parts/icons/Icon.tsx';
import type { MenuNode, PageRoute } from '../../frame/menu/menu.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';
import styles from './SideMenu.module.css';

function Item({
  node,
  page,
  current,
  collapsed,
  onGo,
}: {
  node: MenuNode;
  page: PageRoute;
  current: string | undefined;
  collapsed: boolean;
  onGo: (() => void) | undefined;
}) {
  const titleOf = useMenuTitle();
  const here = page.path === current;
  return (
    <li>
      <Link
        to={page.path}
        className={here ? `${styles.item} ${styles.on}` : styles.item}
        aria-current={here ? 'page' : undefined}
        title={collapsed ? titleOf(node) : undefined}
        onClick={onGo}
      >
        <Icon name={iconNameOf(node.icon)} />
        <span className={styles.text}>{titleOf(node)}</span>
      </Link>
    </li>
  );
}

function Nodes({
  nodes,
  ...rest
}: {
  nodes: readonly MenuNode[];
  current: string | undefined;
  collapsed: boolean;
  onGo: (() => void) | undefined;
}) {
  const titleOf = useMenuTitle();
  return nodes.map((node) => {
    const item = node.page ? <Item key={node.id} node={node} page={node.page} {...rest} /> : null;
    if (node.children.length === 0) return item;
    return (
      <li key={node.id}>
        <div className={styles.group} id={`menu-group-${node.id}`}>
          {titleOf(node)}
        </div>
        <ul aria-labelledby={`menu-group-${node.id}`}>
          {node.page ? <Item node={node} page={node.page} {...rest} /> : null}
          <Nodes nodes={node.children} {...rest} />
        </ul>
      </li>
    );
  });
}

interface Props {
  nodes: readonly MenuNode[];
  /** Path pattern of the page in view. */
  current: string | undefined;
  collapsed: boolean;
  onCollapse?: (collapsed: boolean) => void;
  /** A page was chosen: the phone's drawer closes. */
  onGo?: () => void;
}

/** The second level and below: pages as rows, groups as small headings. */
export function SideMenu({ nodes, current, collapsed, onCollapse, onGo }: Props) {
  const { t } = useTranslation('shell');
  return (
    <nav className={collapsed ? `${styles.side} ${styles.collapsed}` : styles.side} aria-label={t('nav.side')}>
      <ul className={styles.list}>
        <Nodes nodes={nodes} current={current} collapsed={collapsed} onGo={onGo} />
      </ul>
      {onCollapse ? (
        <button
          type="button"
          className={styles.fold}
          onClick={() => onCollapse(!collapsed)}
          aria-expanded={!collapsed}
          aria-label={t(collapsed ? 'nav.expand' : 'nav.collapse')}
        >
          <Icon name={collapsed ? 'right' : 'back'} />
          <span className={styles.text}>{t('nav.collapse')}</span>
        </button>
      ) : null}
    </nav>
  );
}
