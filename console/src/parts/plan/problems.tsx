import { Icon } from '../icons/Icon.tsx';
import styles from './plan.module.css';

/** What is wrong at a path, in the operator's words: `periods.1.level`. */
export type ProblemOf = (path: string) => string | undefined;

/** The problems below a path. */
export const below =
  (problemOf: ProblemOf, path: string): ProblemOf =>
  (more) =>
    problemOf(more === '' ? path : `${path}.${more}`);

export const Trouble = ({ text }: { text: string }) => (
  <span className={styles.trouble}>
    <Icon name="warning" size={12} />
    {text}
  </span>
);
