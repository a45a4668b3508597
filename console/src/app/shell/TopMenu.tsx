import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { firstPage, type MenuNode } from '../../frame/menu/menu.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';
import styles from './TopMenu.module.css';

/** The first level. Where you are is ink: bold, with a line under it. */
export function TopMenu({ top, current }: { top: readonly MenuNode[]; current: MenuNode | undefined }) {
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  const nav = useRef<HTMLElement>(null);
  // Where the row is too narrow for all of them, the one that counts is in sight. Newer browsers answer with a promise:
  // no stop function.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav ref={nav} className={styles.top} aria-label={t('nav.top')}>
      {top.map((node) => {
        const page = firstPage(node);
        if (page === undefined) return null;
        return (
          <Link
            key={node.id}
            to={page.path}
            className={node === current ? styles.on : undefined}
            aria-current={node === current ? 'true' : undefined}
          >
            {titleOf(node)}
          </Link>
        );
      })}
    </nav>
  );
}
