import { Button } from 'antd';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { listRoles, type RoleDetail } from '../../../../contract/specified/roles.ts';
import { useCall } from '../../api/index.ts';
import { fields, valuesOf, type RoleField, type RoleValues } from './use-role-form.ts';
import styles from './role-form.module.css';

const labels = { name: 'field.name', roleExtent: 'field.extent', icon: 'field.icon', parentId: 'field.parent' } as const;

/** Somebody else saved the role first: both versions side by side, and which one to go on with; null: it was deleted. */
export function Versions({ mine, theirs, onSettle, onGone }: { mine: RoleValues; theirs: RoleDetail | null; onSettle: (whose: 'mine' | 'theirs') => void; onGone: () => void }) {
  const { t } = useTranslation('roles');
  const panel = useRef<HTMLElement>(null);
  const roles = useCall(listRoles, { query: { size: 1000 } }, { quiet: true, staleTime: 60_000 }).data?.data ?? [];
  useEffect(() => panel.current?.focus(), []);
  const shown = (field: RoleField, values: RoleValues): string =>
    (field === 'parentId' ? (roles.find(({ id }) => id === values.parentId)?.name ?? t('parent.none')) : values[field]);
  if (theirs === null) {
    return <section ref={panel} className={styles.versions} tabIndex={-1} role="alert"><b>{t('conflict.gone')}</b><p><Button size="small" onClick={onGone}>{t('back')}</Button></p></section>;
  }
  const now = valuesOf(theirs);
  const different = fields.filter((field) => now[field] !== mine[field]);
  return (
    <section ref={panel} className={styles.versions} tabIndex={-1} role="alert">
      <b>{t('conflict.title')}</b>
      <p>{t(different.length > 0 ? 'conflict.text' : 'conflict.menus')}</p>
      {different.length > 0 ? (
        <table>
          <thead><tr><th scope="col">{t('conflict.field')}</th><th scope="col">{t('conflict.theirs')}</th><th scope="col">{t('conflict.mine')}</th></tr></thead>
          <tbody>{different.map((field) => <tr key={field}><th scope="row">{t(labels[field])}</th><td>{shown(field, now)}</td><td>{shown(field, mine)}</td></tr>)}</tbody>
        </table>
      ) : null}
      <div className={styles.choices}>
        <Button size="small" onClick={() => onSettle('theirs')}>{t('conflict.takeTheirs')}</Button>
        <Button size="small" onClick={() => onSettle('mine')}>{t('conflict.keepMine')}</Button>
      </div>
    </section>
  );
}
