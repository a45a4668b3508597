import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getCurrentUser } from '../../../../contract/specified/account.ts';
import { useCall } from '../../api/index.ts';
import { Icon, type IconName } from '../../parts/index.ts';
import {
  chooseLocale,
  currentLocale,
  endSession,
  inPreview,
  languages,
  storedUsername,
  type Locale,
} from '../../session/index.ts';
import { useExitPreview } from '../preview/exit.ts';
import { MenuOf } from './MenuOf.tsx';
import { ask } from '../../frame/ask.ts';
import { setPreference } from '../../frame/preferences.ts';
import { heldCommands } from '../../parts/commands/hold.ts';
import { showTour, useTour } from '../../parts/tour/index.ts';
import { showShortcutHelp } from '../shortcuts/shortcuts.ts';
import { useOpen, useTabStore } from '../../frame/tabs/tab-context.ts';
import { guardAllUnsaved } from '../../frame/tabs/unsaved.ts';
import styles from './HeaderMenus.module.css';

/** A header button that is only an icon; its name is read out and shown on hover. */
export function IconButton({
  icon,
  label,
  onClick,
  active = false,
}: {
  icon: IconName;
  label: string;
  onClick: () => void;
  active?: boolean;
}) {
  // Pressed, its name has said enough: it must not lie over the drawer that opens.
  const [named, setNamed] = useState(false);
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={label}
      aria-pressed={active || undefined}
      data-name={named ? label : undefined}
      onPointerEnter={({ pointerType }) => setNamed(pointerType === 'mouse')}
      onPointerLeave={() => setNamed(false)}
      onFocus={({ target }) => setNamed(target.matches(':focus-visible'))}
      onBlur={() => setNamed(false)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') setNamed(false);
      }}
      onClick={() => {
        setNamed(false);
        onClick();
      }}
    >
      <Icon name={icon} size={17} />
    </button>
  );
}

/** Full screen and back; absent where the browser has none. */
export function FullScreenButton() {
  const { t } = useTranslation('shell');
  const [full, setFull] = useState(() => document.fullscreenElement !== null);
  useEffect(() => {
    const listen = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', listen);
    return () => document.removeEventListener('fullscreenchange', listen);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = (): void => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  return (
    <IconButton
      icon={full ? 'shrink' : 'expand'}
      label={t(full ? 'fullScreen.exit' : 'fullScreen.enter')}
      onClick={toggle}
    />
  );
}

/**
 * Changes the language: stored under the locale key, kept for the account, and the page reloads (specified 1.14);
 * unsaved input asks first.
 */
export function useChooseLanguage(): (locale: Locale) => void {
  const tabs = useTabStore();
  return (locale) => {
    if (locale === currentLocale()) return;
    guardAllUnsaved(tabs, () => {
      setPreference('language', locale);
      chooseLocale(locale);
      for (const tab of tabs.getState().tabs) tabs.setUnsaved(tab.key, false);
      window.location.reload();
    });
  };
}

const shortNames: Record<Locale, string> = {
  zh_CN: '简中',
  zh_TW: '繁中',
  en_US: 'EN',
  fr_FR: 'FR',
  ja_JP: '日本語',
  ko_KR: '한국어',
};

export function LanguageMenu() {
  const { t } = useTranslation('shell');
  const choose = useChooseLanguage();
  const current = currentLocale();
  const items = languages.map((language) => ({
    key: language.locale,
    label: <span lang={language.tag}>{language.name}</span>,
  }));
  return (
    <MenuOf menu={{ items, selectable: true, selectedKeys: [current], onClick: ({ key }) => choose(key as Locale) }}>
      <button type="button" className={styles.language} aria-label={`${t('language.label')}: ${shortNames[current]}`}>
        {shortNames[current]}
      </button>
    </MenuOf>
  );
}

/** Goes on at once when no command waits to be sent, else after the operator has agreed that it is not sent. */
function guardHeld(proceed: () => void): void {
  const what = heldCommands.getState().map((one) => one.what);
  if (what.length === 0) return proceed();
  void ask({ kind: 'held', what }).then((agreed) => {
    if (agreed) proceed();
  });
}

/**
 * Signs out: the session on the server, everything kept here but the locale (specified 1.11), then the sign-in page.
 */
function useSignOut(): () => void {
  const tabs = useTabStore();
  return () =>
    guardHeld(() =>
      guardAllUnsaved(tabs, () => {
        for (const tab of tabs.getState().tabs) tabs.setUnsaved(tab.key, false);
        void endSession().finally(() => window.location.assign('/login'));
      }),
    );
}

export function UserMenu() {
  const { t } = useTranslation('shell');
  const open = useOpen();
  const signOut = useSignOut();
  const exit = useExitPreview();
  const preview = inPreview();
  const tabs = useTabStore();
  const [shown, setShown] = useState(false);
  // Asked for when the menu opens: most installations have no demo city.
  const hasTour = useTour(shown) !== undefined;
  const user = useCall(getCurrentUser, {}, { staleTime: 300_000 }).data;
  const full = user ? `${user.familyName ?? ''}${user.name ?? ''}` : '';
  const name = full || user?.nickname || user?.username || storedUsername();
  const initial = [...name][0] ?? '';
  const actions: Record<string, () => void> = {
    center: () => open('self-edit'),
    password: () => guardAllUnsaved(tabs, () => window.location.assign('/update-password')),
    tour: () => showTour(true),
    shortcuts: () => showShortcutHelp(true),
    licences: () => void window.open('/licenses.txt', '_blank', 'noopener'),
    logout: preview ? exit : signOut,
  };
  const items = [
    { key: 'who', type: 'group' as const, label: name },
    { key: 'center', icon: <Icon name="user" />, label: t('user.center') },
    ...(preview ? [] : [{ key: 'password', icon: <Icon name="lock" />, label: t('user.password') }]),
    ...(hasTour ? [{ key: 'tour', icon: <Icon name="flag" />, label: t('user.tour') }] : []),
    { key: 'shortcuts', icon: <Icon name="keyboard" />, label: t('shortcuts.title') },
    { key: 'licences', icon: <Icon name="document" />, label: t('user.licences') },
    { type: 'divider' as const },
    { key: 'logout', icon: <Icon name="logout" />, label: t(preview ? 'preview.exit' : 'user.logout') },
  ];
  return (
    <MenuOf placement="bottomRight" onOpen={setShown} menu={{ items, onClick: ({ key }) => actions[key]?.() }}>
      <button type="button" className={styles.user} aria-label={t('user.menu', { name })}>
        {user?.imgPath ? <img src={user.imgPath} alt="" /> : <span aria-hidden>{initial.toUpperCase()}</span>}
      </button>
    </MenuOf>
  );
}
