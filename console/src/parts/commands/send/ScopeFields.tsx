import { Segmented, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { countLamps } from '../../../../../contract/light/lamps.ts';
import { useCall } from '../../../api/index.ts';
import { formatNumber } from '../../index.ts';
import styles from './send.module.css';
import { useScopeRows, type ScopeName } from './use-scope-rows.ts';

export interface Scope {
  readonly name: ScopeName;
  readonly id: number | null;
  readonly lamps: number;
}
export const noScope: Scope = { name: 'roadId', id: null, lamps: 0 };

/** A road, a group or a controller with all its lamps. */
export function ScopeFields({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const { t, i18n } = useTranslation('lamp');
  const { rows, isPending } = useScopeRows();
  return (
    <div className={styles.scope}>
      <Segmented<ScopeName>
        value={scope.name}
        onChange={(name) => onChange({ name, id: null, lamps: 0 })}
        aria-label={t('dialog.by')}
        options={[
          { value: 'roadId', label: t('filter.road') },
          { value: 'groupId', label: t('filter.group') },
          { value: 'controllerId', label: t('filter.controller') },
        ]}
      />
      <Select
        showSearch={{ optionFilterProp: 'label' }}
        loading={isPending}
        value={scope.id}
        placeholder={t('dialog.choose')}
        aria-label={t('dialog.choose')}
        options={rows[scope.name].map((row) => ({
          value: row.id,
          label: `${row.name} (${formatNumber(row.lamps, i18n.language, 0)})`,
        }))}
        onChange={(id: number) =>
          onChange({ name: scope.name, id, lamps: rows[scope.name].find((row) => row.id === id)?.lamps ?? 0 })
        }
      />
    </div>
  );
}

/** How many lamps are meant, and how many of them will not answer (not heard of, or never yet) or are out of use. */
export interface Standing {
  readonly total: number;
  readonly offline: number;
  readonly disabled: number;
}

/** The lamps of a scope as they stand now; null while nothing is chosen or it is not known. */
export function useScopeStanding({ name, id }: Scope): Standing | null {
  const query = id === null ? {} : name === 'roadId' ? { roadIds: String(id) } : { [name]: id };
  const counts = useCall(countLamps, { query }, { enabled: id !== null });
  if (id === null || !counts.data) return null;
  const { total, states } = counts.data;
  return { total, offline: (states.offline ?? 0) + (states.unknown ?? 0), disabled: states.maintenance ?? 0 };
}

/** The standing in words: who will not answer is said before anything is sent. */
export function StandingNote({ standing }: { standing: Standing }) {
  const { t, i18n } = useTranslation('commands');
  const number = (n: number): string => formatNumber(n, i18n.language, 0);
  const { total, offline, disabled } = standing;
  const notes = [
    ...(offline > 0 ? [t('send.offline', { n: number(offline) })] : []),
    ...(disabled > 0 ? [t('send.disabled', { n: number(disabled) })] : []),
  ];
  return (
    <p className={styles.standing}>
      {notes.length === 0 ? t('send.allOnline', { n: number(total) }) : notes.join(' ')}
    </p>
  );
}
