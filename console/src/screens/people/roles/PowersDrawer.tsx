import { Button, Drawer, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { permissions, type Permission } from '../../../../../contract/permissions.ts';
import { getRolePowers } from '../../../../../contract/people/roles.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { useMenuTitle } from '../../../frame/menu/menu-context.ts';
import { useCall } from '../../../api/index.ts';
import { Empty, ErrorState, Icon, Skeleton } from '../../../parts/index.ts';
import { useLast } from '../../../parts/declared/use-last.ts';
import styles from './roles.module.css';

type Powers = ReplyOf<typeof getRolePowers>;
interface Page {
  readonly name: string;
  readonly what: readonly string[];
}
interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

const isDeclared = (code: string): code is Permission => permissions.some((known) => known === code);

/** What a role may do as sections, pages and sentences; codes are named once a page. */
function useSections(powers: Powers | undefined, text: string): Section[] {
  const titleOf = useMenuTitle();
  const { t } = useTranslation('permissions');
  const sections = new Map<string, Map<string, Set<string>>>();
  for (const { type, path, permissionCode } of powers?.powers ?? []) {
    const [first, ...rest] = path.map(titleOf);
    const page = (type === 'button' ? rest.slice(0, -1) : rest).join(' / ') || (first ?? '');
    const pages = sections.get(first ?? '') ?? new Map<string, Set<string>>();
    sections.set(first ?? '', pages);
    const what = pages.get(page) ?? new Set<string>();
    pages.set(page, what);
    if (permissionCode !== null) what.add(isDeclared(permissionCode) ? t(permissionCode) : permissionCode);
  }
  const wanted = text.trim().toLocaleLowerCase();
  const matches = (...words: readonly string[]): boolean =>
    wanted === '' || words.some((word) => word.toLocaleLowerCase().includes(wanted));
  return [...sections]
    .map(([name, pages]) => ({
      name,
      pages: [...pages]
        .map(([page, what]) => ({ name: page, what: [...what].filter((one) => matches(name, page, one)) }))
        .filter(({ name: page, what }) => what.length > 0 || (page !== name && matches(name, page))),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** "What may this role do": readable, searchable, with what hangs on the role. */
export function PowersDrawer({
  id,
  onClose,
  onEdit,
}: {
  id: number | null;
  onClose: () => void;
  onEdit: ((id: number) => void) | undefined;
}) {
  const { t } = useTranslation('roles');
  const shown = useLast(id);
  const [text, setText] = useState('');
  const powers = useCall(getRolePowers, { params: { id: shown ?? 1 } }, { enabled: shown !== null, staleTime: 0 });
  const sections = useSections(powers.data, text);
  const { data } = powers;
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      size="min(560px, 100vw)"
      title={t('powers.title', { name: data?.name ?? '' })}
      destroyOnHidden
      afterOpenChange={(open) => {
        if (!open) setText('');
      }}
      extra={
        onEdit && shown !== null ? (
          <Button size="small" onClick={() => onEdit(shown)}>
            {t('powers.edit')}
          </Button>
        ) : null
      }
    >
      {data ? (
        <div className={styles.powers}>
          <dl className={styles.facts}>
            <div>
              <dt>{t('powers.users')}</dt>
              <dd>{data.users}</dd>
            </div>
            <div>
              <dt>{t('field.parent')}</dt>
              <dd>{data.parent?.name ?? t('parent.none')}</dd>
            </div>
            {data.children.length > 0 ? (
              <div>
                <dt>{t('powers.children')}</dt>
                <dd>{data.children.map(({ name }) => name).join(t('separator'))}</dd>
              </div>
            ) : null}
          </dl>
          <Input
            allowClear
            prefix={<Icon name="search" size={14} />}
            value={text}
            placeholder={t('powers.search')}
            aria-label={t('powers.search')}
            onChange={(event) => setText(event.target.value)}
          />
          {sections.length === 0 ? (
            <Empty title={t(text === '' ? 'powers.none' : 'powers.noMatch')} />
          ) : (
            sections.map((section) => (
              <section key={section.name}>
                <h2>{section.name}</h2>
                <ul>
                  {section.pages.map(({ name, what }) => (
                    <li key={name}>
                      <b>{name}</b>
                      {what.length > 0 ? <span>{what.join(t('separator'))}</span> : null}
                    </li>
                  ))}
                </ul>
              </section>
            ))
          )}
        </div>
      ) : powers.error ? (
        <ErrorState error={powers.error} onRetry={powers.refetch} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Drawer>
  );
}
