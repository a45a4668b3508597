import { Button, Radio } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLevels } from '../user-management/levels.ts';
import { differencesOf, valuesOf, type Detail, type StoredField, type Values } from './values.ts';
import styles from './user-form.module.css';

interface Props {
  mine: Values;
  before: Values;
  /** Stored now; null: the account is gone. */
  theirs: Detail | null;
  roleNames: (ids: readonly number[]) => string;
  onSettle: (keepMine: readonly StoredField[]) => void;
}

/** Two operators changed the same account: both versions, line by line, and the choice. What only one of them touched is preset to that one's. */
export function Versions({ mine, before, theirs, roleNames, onSettle }: Props) {
  const { t } = useTranslation('user-form');
  const differing = theirs === null ? [] : differencesOf(mine, valuesOf(theirs), before);
  const [kept, setKept] = useState<readonly StoredField[]>(() => differing.filter(({ mineByDefault }) => mineByDefault).map(({ field }) => field));
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus({ preventScroll: true });
    panel.current?.scrollIntoView({ block: 'center' });
  }, []);
  if (theirs === null) return <div className={styles.versions} role="alert"><b>{t('versions.gone')}</b></div>;
  const now = valuesOf(theirs);
  const choose = (field: StoredField, own: boolean): void => setKept((list) => (own ? [...list.filter((one) => one !== field), field] : list.filter((one) => one !== field)));
  return (
    <section ref={panel} tabIndex={-1} className={styles.versions} aria-labelledby="versions-title">
      <div role="alert"><b id="versions-title">{t('versions.title')}</b><p>{t(differing.length === 0 ? 'versions.same' : 'versions.text')}</p></div>
      {differing.length === 0 ? null : (
        <table>
          <thead><tr><th scope="col">{t('versions.what')}</th><th scope="col">{t('versions.mine')}</th><th scope="col">{t('versions.theirs')}</th></tr></thead>
          <tbody>
            {differing.map(({ field }) => (
              <tr key={field}>
                <th scope="row" id={`versions-${field}`}>{t(`field.${field}`)}</th>
                {[true, false].map((own) => (
                  <td key={String(own)} data-label={t(own ? 'versions.mine' : 'versions.theirs')}>
                    <Radio name={`versions-${field}`} aria-describedby={`versions-${field}`} checked={kept.includes(field) === own} onChange={() => choose(field, own)}><Shown field={field} values={own ? mine : now} own={own} roleNames={roleNames} /></Radio>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button onClick={() => onSettle(kept)}>{t('versions.apply')}</Button>
    </section>
  );
}

function Shown({ field, values, own, roleNames }: { field: StoredField; values: Values; own: boolean; roleNames: Props['roleNames'] }) {
  const { t } = useTranslation('user-form');
  const levels = useLevels();
  if (field === 'imgPath') {
    return values.imgPath === null ? t('versions.noPicture') : <img className={styles.small} src={values.imgPath} alt={t(own ? 'versions.picture' : 'versions.pictureNow')} />;
  }
  if (field === 'treeLevel') return values.treeLevel === null ? '—' : levels.nameOf(values.treeLevel);
  if (field === 'roles') return roleNames(values.roles) || '—';
  return values[field].trim() || '—';
}
