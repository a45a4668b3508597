import { Icon } from '../index.ts';
import { usePublicationWords, type Finding } from './words.ts';
import styles from './publishing.module.css';

/** The warnings that were found when it was made, and read by who made it. */
export const acceptedOf = (findings: readonly Finding[]): Finding[] =>
  findings.filter(({ severity }) => severity === 'warning');

export function AcceptedFindings({ findings }: { findings: readonly Finding[] }) {
  const words = usePublicationWords();
  return (
    <ul className={styles.findings}>
      {acceptedOf(findings).map((one) => {
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
