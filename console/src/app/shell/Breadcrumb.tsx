import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/index.ts';
import type { PageRoute } from '../../frame/menu/menu.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';
import styles from './Breadcrumb.module.css';

/** The way from the first level to the page in view. */
export function Breadcrumb({ page, title }: { page: PageRoute; title: string }) {
  const { t } = useTranslation('shell');
  const titleOf = useMenuTitle();
  return (
    <nav aria-label={t('nav.path')} className={styles.path}>
      <ol>
        {page.parents.map((parent) => (
          <li key={parent.id}>
            {titleOf(parent)}
            <Icon name="right" size={11} />
          </li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
}
