import { Button } from 'antd';
import { Icon } from '../icons/Icon.tsx';
import styles from './form.module.css';

interface Props {
  labels: { submit: string; reset: string; back: string };
  busy: boolean;
  /** Cannot be sent now, whatever was typed. */
  blocked: boolean;
  /** What runs. */
  doing: string;
  /** Why the last try failed, and how many fields are wrong. */
  failures: readonly (string | undefined)[];
  onReset: () => void;
  onBack: () => void;
}

/** The foot of a form page; stays in sight: what is wrong, what runs, and the three buttons. The first one submits. */
export function FormFoot({ labels, busy, blocked, doing, failures, onReset, onBack }: Props) {
  return (
    <div className={styles.foot}>
      <Button type="primary" htmlType="submit" loading={busy} disabled={busy || blocked}>
        {labels.submit}
      </Button>
      <Button onClick={onReset} disabled={busy}>
        {labels.reset}
      </Button>
      <Button type="text" onClick={onBack}>
        {labels.back}
      </Button>
      <div className={styles.says}>
        <span role="status">{busy ? doing : ''}</span>
        {failures.map((text) =>
          text === undefined ? null : (
            <span key={text} className={styles.error} role="alert">
              <Icon name="warning" size={13} />
              {text}
            </span>
          ),
        )}
      </div>
    </div>
  );
}
