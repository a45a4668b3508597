import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { hasField, isSame, nodeFields, otherLanguages, valuesOf, type Node, type NodeField, type NodeValues } from './node.ts';
import styles from './menus.module.css';

interface Props { mine: NodeValues; theirs: Node | null; onSettle: (keep: 'mine' | 'theirs') => void }

/** Two administrators edited the same node: what this one typed beside what the other saved, and the choice between them. */
export function Conflict({ mine, theirs, onSettle }: Props) {
  const { t } = useTranslation('menus');
  if (theirs === null) return <div className={styles.conflict} role="alert"><b>{t('conflict.gone')}</b></div>;
  const now = valuesOf(theirs);
  const differing = nodeFields.filter((field) => (hasField(mine.type, field) || hasField(now.type, field)) && !isSame(mine, now, field));
  const text = (values: NodeValues, field: NodeField): string => {
    if (field === 'titles') return otherLanguages.flatMap((language) => values.titles[language] || []).join(' · ') || '—';
    if (field === 'type') return values.type === null ? '—' : t(`type.${values.type}`);
    return values[field] || '—';
  };
  return (
    <div className={styles.conflict} role="alert">
      <b>{t('conflict.title')}</b>
      <p>{t(differing.length === 0 ? 'conflict.same' : 'conflict.text')}</p>
      {differing.length === 0 ? null : (
        <table>
          <thead><tr><th scope="col">{t('conflict.what')}</th><th scope="col">{t('conflict.mine')}</th><th scope="col">{t('conflict.theirs')}</th></tr></thead>
          <tbody>{differing.map((field) => <tr key={field}><th scope="row">{t(`field.${field}`)}</th><td>{text(mine, field)}</td><td>{text(now, field)}</td></tr>)}</tbody>
        </table>
      )}
      <div className={styles.conflictButtons}>
        <Button size="small" onClick={() => onSettle('theirs')}>{t('conflict.take')}</Button>
        {differing.length === 0 ? null : <Button size="small" onClick={() => onSettle('mine')}>{t('conflict.keep')}</Button>}
      </div>
    </div>
  );
}
