import { Icon } from '../index.ts';
import { usePublicationWords, type Finding } from './words.ts';
import styles from './publishing.module.css';

/** What was found when it was made, and read by who made it. */
export function AcceptedFindings({ findings }: { findings: readonly Finding[] }) {
  const words = usePublicationWords();
  return (
    <ul className={styles.findings}>
      {findings.map((one) => {
        const { text } = words.finding(one);
        return (
          <li key={text}>
            <Icon name="warning" size={13} />
            <span>{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
