import { useTranslation } from 'react-i18next';
import { records } from '../../../../catalogue/records/index.ts';
import { familyPageNames, familyPages } from '../../../../contract/family-pages.ts';
import { useMenu } from '../../frame/menu/menu-context.ts';
import { useOpen, useTabStore } from '../../frame/tabs/tab-context.ts';
import { guardUnsaved } from '../../frame/tabs/unsaved.ts';
import { useNames } from '../../locales/catalogue-names.ts';
import type { Romanise } from '../../locales/pinyin.ts';
import { iconNameOf } from '../../parts/index.ts';
import { currentLocale, inPreview, languages } from '../../session/index.ts';
import { changeSettings, useSettings } from '../settings/settings.ts';
import { useChooseLanguage } from '../shell/HeaderMenus.tsx';
import { showShortcutHelp } from '../shortcuts/shortcuts.ts';
import { initialsOf, rankOf } from './find-menus.ts';
import type { Hit } from './hits.ts';
import { useRemembered } from './use-remembered.ts';

/** The pages on which records are made. */
const recordPages: Readonly<Record<string, string>> = {
  'asset/work-areas': 'work-area',
  'asset/roads': 'road',
  'asset/groups': 'equipment-group',
  'asset/channels': 'channel',
  'asset/loops': 'loop',
  'asset/dictionaries': 'dictionary',
  'asset/dictionary-items': 'dictionary-item',
};

interface Action {
  readonly key: string;
  readonly icon: string;
  readonly title: string;
  /** Found by these too. */
  readonly words?: readonly string[];
  readonly act: () => void;
}

/** What can be made by this account, each on the page that lists it. */
function useNew(): Action[] {
  const { t } = useTranslation('search');
  const { pages, codes } = useMenu();
  const names = useNames();
  const open = useOpen();
  const words = t('words.new').split('|');
  const offer = (screen: string, icon: string, what: string): Action[] =>
    pages.some((page) => page.screen === screen)
      ? [
          {
            key: `new-${screen}`,
            icon,
            title: t('new', { what }),
            words: words.map((word) => `${word}${what}`.toLowerCase()),
            act: () => open(screen, { search: '?form=new' }),
          },
        ]
      : [];
  return [
    ...(codes.has('device.add')
      ? familyPageNames.flatMap((screen) => {
          const { family, icon } = familyPages[screen];
          return offer(screen, icon, names.family(family));
        })
      : []),
    ...(codes.has('record.add')
      ? Object.entries(recordPages)
          .filter(([, key]) => records.some((record) => record.key === key))
          .flatMap(([screen, key]) => offer(screen, 'plus', names.record(key)))
      : []),
  ];
}

/** What the console itself can do at once; nothing of it reaches a lamp. */
export function useActionHits(text: string, romanise: Romanise): Hit[] {
  const { t } = useTranslation('search');
  const tabs = useTabStore();
  const { theme } = useSettings();
  const chooseLanguage = useChooseLanguage();
  const made = useNew();
  const spoken = useRemembered(romanise);
  const refresh = (): void => {
    const tab = tabs.getState().tabs.find(({ selected }) => selected);
    if (tab) guardUnsaved(tabs, [tab.key], () => tabs.refresh(tab.key));
  };
  const actions: Action[] = [
    { key: 'refresh', icon: 'retry', title: t('refresh'), act: refresh },
    ...(['light', 'dark', 'system'] as const)
      .filter((one) => one !== theme)
      .map((one): Action => ({
        key: `theme-${one}`,
        icon: one === 'dark' ? 'moon' : one === 'light' ? 'sun' : 'screen',
        title: t(`theme.${one}`),
        act: () => changeSettings({ theme: one }),
      })),
    { key: 'shortcuts', icon: 'keyboard', title: t('shortcuts'), act: () => showShortcutHelp(true) },
    ...languages
      .filter(({ locale }) => locale !== currentLocale())
      .map(({ locale, name }): Action => ({
        key: `language-${locale}`,
        icon: 'globe',
        title: t('language', { name }),
        words: [name.toLowerCase()],
        act: () => chooseLanguage(locale),
      })),
    ...(inPreview() ? [] : made),
  ];
  const sought = text.trim().toLowerCase().replace(/\s+/g, '');
  const found =
    sought === ''
      ? actions.slice(0, 3)
      : [0, 1].flatMap((wanted) =>
          actions.filter(
            ({ title, words = [] }) =>
              rankOf(
                [title.toLowerCase().replace(/\s+/g, ''), initialsOf(title), ...spoken(title), ...words],
                sought,
              ) === wanted,
          ),
        );
  return found.map(({ key, icon, title, act }) => ({
    key,
    icon: iconNameOf(icon),
    code: null,
    title,
    place: '',
    go: { act, asks: false },
  }));
}
