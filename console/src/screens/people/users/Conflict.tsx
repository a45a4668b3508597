import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLevels } from '../../../parts/people/users/levels.ts';
import { valuesOf, type Detail, type UserValues } from '../../../parts/people/users/user.ts';
import styles from './users.module.css';

interface Props {
  mine: UserValues;
  theirs: Detail | null;
  roleNames: (ids: readonly number[]) => string;
  onSettle: (keep: 'mine' | 'theirs') => void;
}

/**
 * Two operators edited the same account: what this one typed beside what the other saved, and the choice between them.
 */
export function Conflict({ mine, theirs, roleNames, onSettle }: Props) {
  const { t } = useTranslation('users');
  const levels = useLevels();
  if (theirs === null)
    return (
      <div className={styles.conflict} role="alert">
        <b>{t('conflict.gone')}</b>
      </div>
    );
  const now = valuesOf(theirs);
  const text = (values: UserValues) => ({
    nickname: values.nickname.trim() || '—',
    treeLevel: values.treeLevel === null ? '—' : levels.nameOf(values.treeLevel),
    roles: roleNames(values.roles) || '—',
  });
  const [own, other] = [text(mine), text(now)];
  const differing = (['nickname', 'treeLevel', 'roles'] as const).filter((field) => own[field] !== other[field]);
  return (
    <div className={styles.conflict} role="alert">
      <b>{t('conflict.title')}</b>
      <p>{t(differing.length === 0 ? 'conflict.same' : 'conflict.text')}</p>
      {differing.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t('conflict.what')}</th>
              <th scope="col">{t('conflict.mine')}</th>
              <th scope="col">{t('conflict.theirs')}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((field) => (
              <tr key={field}>
                <th scope="row">{t(`field.${field}`)}</th>
                <td>{own[field]}</td>
                <td>{other[field]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.conflictButtons}>
        <Button size="small" onClick={() => onSettle('theirs')}>
          {t('conflict.take')}
        </Button>
        {differing.length === 0 ? null : (
          <Button size="small" onClick={() => onSettle('mine')}>
            {t('conflict.keep')}
          </Button>
        )}
      </div>
    </div>
  );
}
