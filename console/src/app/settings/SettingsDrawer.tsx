import { Button, Drawer, Segmented, Select } from 'antd';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { currentLocale, languages, type Locale } from '../../session/index.ts';
import {
  accentNames,
  fontSizes,
  paletteOf,
  rowHeights,
  type DensityName,
  type FontSizeName,
} from '../../theme/tokens.ts';
import { useLook } from '../../theme/use-look.ts';
import { useChooseLanguage } from '../shell/HeaderMenus.tsx';
import { preferences } from '../../frame/preferences.ts';
import { browserZone, changeSettings, defaultSettings, useSettings } from './settings.ts';
import styles from './SettingsDrawer.module.css';

function Row({ label, children }: { label: string; children: (labelledBy: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div id={id} className={styles.label}>
        {label}
      </div>
      {children(id)}
    </div>
  );
}

/** Names of zones by region, the browser's own first. */
const zones = (): string[] => [
  ...new Set([
    'Asia/Shanghai',
    'Asia/Taipei',
    'Asia/Tokyo',
    'Asia/Seoul',
    'Europe/Paris',
    'UTC',
    ...Intl.supportedValuesOf('timeZone'),
  ]),
];

function AccentChoice({ labelledBy }: { labelledBy: string }) {
  const { t } = useTranslation('shell');
  const { accent } = useSettings();
  const { theme } = useLook();
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} className={styles.accents}>
      {accentNames.map((name) => (
        <label key={name} className={styles.accent}>
          <input
            type="radio"
            name="accent"
            checked={accent === name}
            onChange={() => changeSettings({ accent: name })}
          />
          <i style={{ background: paletteOf(theme, name)['c-primary-solid'] }} aria-hidden />
          <span>{t(`settings.accent.${name}`)}</span>
        </label>
      ))}
    </div>
  );
}

/** Eight settings, no more; they hold at once and are kept with the account. */
export default function SettingsDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const now = useSettings();
  const chooseLanguage = useChooseLanguage();
  const notSaved = useStore(preferences, (state) => state.unsaved);
  const segments = <T extends string>(names: readonly T[], text: (name: T) => string) =>
    names.map((name) => ({ value: name, label: text(name) }));
  return (
    <Drawer
      open
      title={t('settings.title')}
      onClose={onClose}
      size={360}
      closable={{ 'aria-label': t('close') }}
      footer={
        <div className={styles.foot}>
          <span role="status">{t(notSaved ? 'settings.notSaved' : 'settings.note')}</span>
          <Button size="small" onClick={() => changeSettings(defaultSettings)}>
            {t('settings.reset')}
          </Button>
        </div>
      }
    >
      <Row label={t('settings.theme')}>
        {(id) => (
          <Segmented
            block
            aria-labelledby={id}
            value={now.theme}
            onChange={(theme) => changeSettings({ theme })}
            options={segments(['light', 'dark', 'system'] as const, (name) => t(`settings.theme.${name}`))}
          />
        )}
      </Row>
      <Row label={t('settings.accent')}>{(id) => <AccentChoice labelledBy={id} />}</Row>
      <Row label={t('settings.density')}>
        {(id) => (
          <Segmented
            block
            aria-labelledby={id}
            value={now.density}
            onChange={(density) => changeSettings({ density })}
            options={segments(Object.keys(rowHeights) as DensityName[], (name) => t(`settings.density.${name}`))}
          />
        )}
      </Row>
      <Row label={t('settings.fontSize')}>
        {(id) => (
          <Segmented
            block
            aria-labelledby={id}
            value={now.fontSize}
            onChange={(fontSize) => changeSettings({ fontSize })}
            options={segments(Object.keys(fontSizes) as FontSizeName[], (name) => t(`settings.fontSize.${name}`))}
          />
        )}
      </Row>
      <Row label={t('settings.menuMode')}>
        {(id) => (
          <Segmented
            block
            aria-labelledby={id}
            value={now.menuMode}
            onChange={(menuMode) => changeSettings({ menuMode })}
            options={segments(['mixed', 'side'] as const, (name) => t(`settings.menuMode.${name}`))}
          />
        )}
      </Row>
      <Row label={t('settings.tabs')}>
        {(id) => (
          <Segmented
            block
            aria-labelledby={id}
            value={now.tabs ? 'on' : 'off'}
            onChange={(tabs) => changeSettings({ tabs: tabs === 'on' })}
            options={segments(['on', 'off'] as const, (name) => t(`settings.tabs.${name}`))}
          />
        )}
      </Row>
      <Row label={t('settings.timeZone')}>
        {(id) => (
          <Select
            className={styles.wide ?? ''}
            showSearch
            aria-labelledby={id}
            value={now.timeZone}
            onChange={(timeZone: string) => changeSettings({ timeZone })}
            options={[
              { value: 'site', label: t('settings.timeZone.site') },
              { value: 'browser', label: t('settings.timeZone.browser', { zone: browserZone() }) },
              ...zones().map((zone) => ({ value: zone, label: zone })),
            ]}
          />
        )}
      </Row>
      <Row label={t('language.label')}>
        {(id) => (
          <>
            <Select
              className={styles.wide ?? ''}
              aria-labelledby={id}
              value={currentLocale()}
              onChange={(locale: Locale) => chooseLanguage(locale)}
              options={languages.map((language) => ({ value: language.locale, label: language.name }))}
            />
            <div className={styles.hint}>{t('language.ask')}</div>
          </>
        )}
      </Row>
    </Drawer>
  );
}
