import { Icon, type IconName } from '../icons/Icon.tsx';
import styles from './tree.module.css';

interface Props {
  icon: IconName;
  label: string;
  tabIndex: 0 | -1;
  disabled?: boolean;
  onClick: () => void;
}

/** A button at the end of a line. A plain one: a long tree draws hundreds of them while it scrolls. */
export const TreeButton = ({ icon, label, ...button }: Props) => (
  <button type="button" className={styles.button} aria-label={label} title={label} {...button}>
    <Icon name={icon} size={15} />
  </button>
);
