import { useTranslation } from 'react-i18next';
import { Icon, type IconName } from '../../../parts/index.ts';
import styles from './monitor.module.css';
import type { View } from './view-state.ts';

interface Choice<T extends string> {
  value: T;
  icon: IconName;
  text: string;
}

/** A row of choices of which one is pressed. */
function Choices<T extends string>({
  value,
  choices,
  onChange,
  label,
}: {
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  label: string;
}) {
  return (
    <div className={styles.choices} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          title={choice.text}
          onClick={() => onChange(choice.value)}
        >
          <Icon name={choice.icon} size={14} />
          <span>{choice.text}</span>
        </button>
      ))}
    </div>
  );
}

/** Map or list; on the map night or day. */
export function ViewSwitch({
  view,
  hasMap,
  put,
}: {
  view: View;
  hasMap: boolean;
  put: (values: Record<string, string | null>) => void;
}) {
  const { t } = useTranslation('lamp');
  return (
    <>
      {hasMap ? (
        <Choices
          value={view.shown}
          label={t('view.label')}
          onChange={(shown) => put({ view: shown === 'list' ? 'list' : null })}
          choices={[
            { value: 'map', icon: 'map', text: t('view.map') },
            { value: 'list', icon: 'list', text: t('view.list') },
          ]}
        />
      ) : null}
      {view.shown === 'map' ? (
        <Choices
          value={view.light}
          label={t('view.light')}
          onChange={(light) => put({ light: light === 'day' ? 'day' : null })}
          choices={[
            { value: 'night', icon: 'moon', text: t('view.night') },
            { value: 'day', icon: 'sun', text: t('view.day') },
          ]}
        />
      ) : null}
    </>
  );
}
