import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getCurrentUser } from '../../../../contract/specified/account.ts';
import { useCall } from '../../api/index.ts';
import { Card, ErrorState, Icon, Page, PageBar, Skeleton, useTime } from '../../parts/index.ts';
import styles from './profile.module.css';

function Facts({ rows }: { rows: readonly (readonly [label: string, value: ReactNode])[] }) {
  return <dl className={styles.facts}>{rows.map(([label, value]) => <div key={label}><dt>{label}</dt><dd>{value === null || value === '' ? '—' : value}</dd></div>)}</dl>;
}

/** The personal centre: what the account says of its owner. Read-only for now. */
export default function Profile() {
  const { t } = useTranslation('profile');
  const time = useTime();
  const user = useCall(getCurrentUser);
  if (user.isPending) return <Page><PageBar title={t('title')} /><Card><Skeleton rows={6} /></Card></Page>;
  if (user.isError) return <Page><PageBar title={t('title')} /><Card><ErrorState error={user.error} onRetry={user.refetch} /></Card></Page>;
  const me = user.data;
  // S1 section 3: 0 is administrator, 1 to 5 show as A to E.
  const level = me.treeLevel === 0 ? t('administrator') : t('levelLetter', { letter: 'ABCDE'[me.treeLevel - 1] ?? '—' });
  const fullName = `${me.familyName ?? ''}${me.name ?? ''}`;
  return (
    <Page>
      <PageBar title={t('title')} note={t('note')} actions={<Button icon={<Icon name="lock" size={14} />} href="/update-password">{t('changePassword')}</Button>} />
      <div className={styles.cards}>
        <Card title={t('account')}>
          <div className={styles.who}>
            {me.imgPath ? <img src={me.imgPath} alt={t('avatar')} /> : <span aria-hidden>{([...(fullName || me.username)][0] ?? '').toUpperCase()}</span>}
            <div><b>{fullName || me.nickname || me.username}</b><div>{level}</div></div>
          </div>
          <Facts rows={[[t('username'), me.username], [t('nickname'), me.nickname], [t('fullName'), fullName], [t('roles'), me.roleNames]]} />
        </Card>
        <Card title={t('contact')}><Facts rows={[[t('mobile'), me.mobile], [t('email'), me.email]]} /></Card>
        <Card title={t('description')}><Facts rows={[[t('descriptionTitle'), me.discTitle], [t('descriptionDetail'), me.discDetail]]} /></Card>
        <Card title={t('times')}><Facts rows={[[t('registered'), time(me.registerTime, 'dateTime')], [t('lastLogin'), time(me.lastLogin, 'dateTime')]]} /></Card>
      </div>
    </Page>
  );
}
