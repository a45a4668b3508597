import styles from './fields.module.css';

/** The place of a field whose code is being fetched, of its height. */
export const FieldSoon = () => <span className={styles.soon} />;
