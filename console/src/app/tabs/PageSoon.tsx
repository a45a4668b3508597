import { useTranslation } from 'react-i18next';
import { Page, PageBar } from '../../parts/index.ts';
import type { PageRoute } from '../../frame/menu/menu.ts';
import { useMenuTitle } from '../../frame/menu/menu-context.ts';
import type { Frame } from '../../screens/index.ts';
import { frameOf } from '../errors/load-screen.ts';
import styles from './PageSoon.module.css';

/** How many blocks each frame has: one of filters and one of rows, one picture, two cards. */
const blocks: Readonly<Record<Frame, readonly string[]>> = {
  list: ['filters', 'rows'],
  map: ['picture'],
  cards: ['card', 'card'],
};

/** A page whose code is on its way: its title at once, and the place of what comes. */
export function PageSoon({ page }: { page: PageRoute }) {
  const { t } = useTranslation('parts');
  const titleOf = useMenuTitle();
  const frame = frameOf(page.screen);
  return (
    <Page list={frame === 'list'}>
      <PageBar title={titleOf(page)} />
      <div className={styles.soon} role="status" aria-label={t('skeleton.label')} data-page-soon={frame}>
        {blocks[frame].map((block, index) => (
          <div key={index} className={styles[block]} />
        ))}
      </div>
    </Page>
  );
}
