import { AutoComplete, Button, Input, Select } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { permissions } from '../../../../../contract/permissions.ts';
import { componentKey } from '../../../frame/menu/menu.ts';
import { useMenu } from '../../../frame/menu/menu-context.ts';
import type { tied } from '../../../fields/face.ts';
import { Field } from '../../../parts/form/index.ts';
import { currentTag } from '../../../session/index.ts';
import { Icon } from '../../../parts/index.ts';
import { IconPicker } from '../../../parts/icons/IconPicker.tsx';
import {
  hasField,
  otherLanguages,
  titleIn,
  typesBelow,
  type MenuType,
  type Node,
  type NodeField,
  type NodeValues,
} from './node.ts';
import type { FieldError, NodeForm } from './use-node-form.ts';
import styles from './menus.module.css';

type Tie = ReturnType<typeof tied>;
interface Props {
  base: string;
  form: NodeForm;
  parent: Node;
  stored: Node | null;
}

/** What an error says. */
function useWords(): (error: FieldError | undefined) => string | undefined {
  const { t } = useTranslation('menus');
  return (error) =>
    error === undefined || 'message' in error ? error?.message : t(error.rule, { limit: error.limit });
}

/** The dialog's fields; which there are depends on the type (specified 5.3). */
export function NodeFields({ base, form, parent, stored }: Props) {
  const { t } = useTranslation('menus');
  const { values } = form;
  const offered = [...new Set<MenuType>([...typesBelow(parent), ...(stored ? [stored.type] : [])])];
  const code = usePermissionOptions();
  const componentHint = useComponentHint(values);
  const wordsOf = useWords();
  const field = (
    key: NodeField,
    control: (tie: Tie) => ReactNode,
    options: { required?: boolean; hint?: string | undefined } = {},
  ) => {
    const { required = false, hint } = options;
    return hasField(values.type, key) ? (
      <Field
        key={key}
        id={`${base}-${key}`}
        label={t(`field.${key}`)}
        problem={wordsOf(form.errors[key])}
        required={required}
        wide={key === 'permissionCode' || key === 'language'}
        {...(hint === undefined ? {} : { hint })}
      >
        {control}
      </Field>
    ) : null;
  };
  const text = (key: 'title' | 'name' | 'url', placeholder?: string) => (tie: Tie) => (
    <Input
      {...tie}
      value={values[key]}
      autoComplete="off"
      spellCheck={false}
      aria-required
      {...(placeholder === undefined ? {} : { placeholder })}
      onBlur={() => form.leave(key)}
      onChange={(event) => form.set(key, event.target.value)}
    />
  );
  return (
    <div className={styles.fields}>
      {field(
        'type',
        (tie) => (
          <Select
            {...tie}
            style={{ width: '100%' }}
            value={values.type}
            placeholder={t('type.choose')}
            aria-required
            options={offered.map((type) => ({ value: type, label: t(`type.${type}`) }))}
            onChange={(type: MenuType) => form.set('type', type)}
          />
        ),
        { required: true, hint: values.type ? t(`type.${values.type}.hint`) : undefined },
      )}
      {field('title', text('title'), { required: true, hint: t('field.title.hint') })}
      <OtherTitles base={base} form={form} />
      {field('icon', (tie) => (
        <IconPicker
          id={tie.id}
          labelledBy={`${tie.id}-label`}
          describedBy={tie['aria-describedby']}
          invalid={tie['aria-invalid'] ?? false}
          value={values.icon}
          onChange={(icon) => form.set('icon', icon)}
        />
      ))}
      {field('name', text('name'), {
        required: true,
        hint: t(values.type === 'button' ? 'field.name.hint.button' : 'field.name.hint'),
      })}
      {field('url', text('url', '/'), { required: true, hint: t('field.url.hint') })}
      {field(
        'component',
        (tie) => (
          <ComponentInput
            tie={tie}
            value={values.component}
            onLeave={() => form.leave('component')}
            onChange={(component) => form.set('component', component)}
          />
        ),
        { required: true, hint: componentHint },
      )}
      {field(
        'permissionCode',
        (tie) => (
          <Select
            {...tie}
            style={{ width: '100%' }}
            value={values.permissionCode}
            placeholder={t('code.choose')}
            allowClear
            showSearch={{ optionFilterProp: 'search' }}
            options={code.options}
            notFoundContent={t('code.none')}
            aria-required={values.type === 'button'}
            onChange={(next: string | undefined) => form.set('permissionCode', next ?? null)}
          />
        ),
        {
          required: values.type === 'button',
          hint: t(values.type === 'button' ? 'code.hint.button' : 'code.hint.page'),
        },
      )}
      {field(
        'language',
        (tie) => (
          <LanguageKey tie={tie} value={values.language} onChange={(language) => form.set('language', language)} />
        ),
        { hint: useReading(values) },
      )}
    </div>
  );
}

/** Every declared code with its name; found by either. */
function usePermissionOptions() {
  const { t, i18n } = useTranslation('permissions');
  const nameOf = (code: string): string => (i18n.exists(code, { ns: 'permissions' }) ? t(code as 'cscp.sr') : code);
  return {
    options: permissions.map((code) => ({
      value: code,
      label: nameOf(code) === code ? code : `${nameOf(code)} · ${code}`,
      search: `${nameOf(code)} ${code}`,
    })),
  };
}

/** What stands behind the page, so that nobody waits for an entry that cannot appear. */
function useComponentHint({ type, name, component }: NodeValues): string {
  const { t } = useTranslation('menus');
  const { known } = useMenu();
  if (known?.builtIn.has(name.trim())) return t('component.builtIn', { name: name.trim() });
  if (component.trim() === '') return t('component.hint');
  if (known?.components.has(componentKey(component))) return t('component.found');
  return t(type === 'menu1' ? 'component.section' : 'component.missing');
}

const has = (text: string, sought: string): boolean => text.toLowerCase().includes(sought.trim().toLowerCase());

function ComponentInput({
  tie,
  value,
  onLeave,
  onChange,
}: {
  tie: Tie;
  value: string;
  onLeave: () => void;
  onChange: (component: string) => void;
}) {
  const { known } = useMenu();
  const options = [...(known?.components ?? [])]
    .toSorted()
    .map((component) => ({ value: component, label: component }));
  return (
    <AutoComplete
      {...tie}
      style={{ width: '100%' }}
      value={value}
      options={options}
      showSearch={{ filterOption: (sought, option) => has(option?.value ?? '', sought) }}
      aria-required
      onBlur={onLeave}
      onChange={(next: string) => onChange(next)}
    />
  );
}

/** The keys of the menu's texts, each with what it reads now. */
function LanguageKey({ tie, value, onChange }: { tie: Tie; value: string; onChange: (key: string) => void }) {
  const { i18n } = useTranslation('menu');
  const texts = (i18n.getResourceBundle(i18n.language, 'menu') ?? {}) as Record<string, string>;
  const options = Object.entries(texts).map(([key, text]) => ({ value: key, label: `${text} · ${key}` }));
  return (
    <AutoComplete
      {...tie}
      style={{ width: '100%' }}
      allowClear
      value={value}
      options={options}
      showSearch={{ filterOption: (sought, option) => has(option?.label ?? '', sought) }}
      onChange={(next: string | undefined) => onChange(next ?? '')}
    />
  );
}

/** What the entry is called in the menu as it stands: the key's text, else the title in the language in force. */
function useReading({ title, titles, language }: NodeValues): string {
  const { t } = useTranslation('menus');
  const { t: menu, i18n } = useTranslation('menu');
  const key = language.trim().replace(/^menu\./, '');
  if (key !== '' && i18n.exists(key, { ns: 'menu' })) return t('language.reads', { text: menu(key as 'home') });
  const shown = titleIn({ title: title.trim(), titles }, currentTag());
  if (key !== '') return t('language.unknown', { text: shown });
  return shown === '' ? t('language.hint') : t('language.title', { text: shown });
}

/** The titles in the other languages, folded until somebody wants them or one of them is wrong. */
function OtherTitles({ base, form }: { base: string; form: NodeForm }) {
  const { t } = useTranslation('menus');
  const [wanted, setWanted] = useState(false);
  const { titles, title } = form.values;
  const error = form.errors.titles;
  const wordsOf = useWords();
  const open = wanted || error !== undefined;
  const filled = otherLanguages.filter((language) => titles[language].trim() !== '').length;
  return (
    <div className={styles.titles}>
      <Button
        type="text"
        size="small"
        aria-expanded={open}
        icon={<Icon name={open ? 'up' : 'down'} size={13} />}
        onClick={() => setWanted(!open)}
      >
        {t('titles', { n: filled, all: otherLanguages.length })}
      </Button>
      {open ? (
        <div className={styles.titleList}>
          {otherLanguages.map((language, index) => (
            <Field
              key={language}
              id={`${base}-titles-${language}`}
              label={t(`titles.${language}`)}
              problem={index === 0 ? wordsOf(error) : undefined}
            >
              {(tie) => (
                <Input
                  {...tie}
                  lang={language}
                  value={titles[language]}
                  placeholder={title}
                  autoComplete="off"
                  onChange={(event) => form.set('titles', { ...titles, [language]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      ) : null}
    </div>
  );
}
