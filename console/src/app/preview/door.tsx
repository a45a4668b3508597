import { Button } from 'antd';
import { createRoot } from 'react-dom/client';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { loadDateWords } from '../../locales/dates.ts';
import { startI18n } from '../../locales/i18n.ts';
import { Icon } from '../../parts/index.ts';
import {
  currentTag,
  inPreview,
  leavePreview,
  previewed,
  receivePreview,
  startPreview,
  takeNotice,
} from '../../session/index.ts';
import { LookProvider } from '../settings/LookProvider.tsx';
import styles from './preview.module.css';

type Door = 'opening' | 'over' | 'failed' | 'empty';

/** What stands behind the door: the wait for the token, or that there is none (any more), with the ways on. */
export function DoorPage({
  door,
  go = (path) => window.location.replace(path),
}: {
  door: Door;
  go?: (path: string) => void;
}) {
  const { t } = useTranslation('shell');
  if (door === 'opening')
    return (
      <main className={styles.door}>
        <p role="status">{t('preview.opening')}</p>
      </main>
    );
  const toOwn = (): void => {
    leavePreview();
    go('/home');
  };
  return (
    <main className={styles.door}>
      <Icon name="eye" size={28} />
      <h1>{t(`preview.${door}.title`)}</h1>
      <p>{t(`preview.${door}.text`)}</p>
      <div>
        <Button onClick={toOwn}>{t('preview.own')}</Button>
        <Button type="primary" onClick={() => window.close()}>
          {t('preview.close')}
        </Button>
      </div>
    </main>
  );
}

/**
 * The page every preview tab begins and ends at. It takes the token from the tab that opened it and goes on to the
 * console, which then starts anew with everything kept in this tab alone.
 */
export async function openPreviewDoor(root: HTMLElement): Promise<void> {
  const opener: unknown = window.opener;
  const tag = currentTag();
  if (previewed() !== undefined || (!inPreview() && opener === null)) return window.location.replace('/home');
  const [i18n, words] = await Promise.all([startI18n(), loadDateWords(tag)]);
  const page = createRoot(root);
  const show = (door: Door): void => {
    document.title = i18n.t('preview.label', { ns: 'shell' });
    page.render(
      <I18nextProvider i18n={i18n}>
        <LookProvider words={words}>
          <DoorPage door={door} />
        </LookProvider>
      </I18nextProvider>,
    );
  };
  if (inPreview()) return show(takeNotice() === 'routesFailed' ? 'empty' : 'over');
  show('opening');
  try {
    startPreview(await receivePreview(opener as Window));
    window.opener = null;
    window.location.replace('/home');
  } catch {
    show('failed');
  }
}
