import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { Icon } from '../icons/Icon.tsx';
import { StateShape, type MarkState } from '../state/StateMark.tsx';
import { dismissToast, toasts, type Toast } from '../../frame/toast-store.ts';
import styles from './Toasts.module.css';

const shapes: Record<Toast['kind'], MarkState> = {
  done: 'on',
  note: 'info',
  warning: 'alarm',
  failed: 'alarm',
};

/**
 * Where toasts appear: at the head of the pages, between titles and tools, so that they cover no bar with a submit
 * button; read out politely. Once in the shell.
 */
export function Toasts() {
  const { t } = useTranslation('parts');
  const shown = useStore(toasts);
  return (
    <div className={styles.region} role="region" aria-label={t('toast.region')}>
      <div aria-live="polite">
        {shown.map((toast) => (
          <div key={toast.id} className={styles.toast} data-kind={toast.kind}>
            <StateShape state={shapes[toast.kind]} />
            <span className={styles.text}>{toast.text}</span>
            {toast.action ? (
              <button
                type="button"
                className={styles.action}
                onClick={() => {
                  toast.action?.onClick();
                  dismissToast(toast.id);
                }}
              >
                {toast.action.text}
              </button>
            ) : null}
            <button
              type="button"
              className={styles.close}
              aria-label={t('toast.close')}
              onClick={() => dismissToast(toast.id)}
            >
              <Icon name="close" size={12} />
            </button>
          </div>
        ))}
      </div>
    </div>
  );
}
