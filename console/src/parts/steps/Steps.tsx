import { Icon } from '../icons/Icon.tsx';
import styles from './steps.module.css';

interface Props<Name extends string> {
  label: string;
  steps: readonly { readonly name: Name; readonly word: string }[];
  at: Name;
  /** Steps with a page of their own now; the others are text. */
  reachable: readonly Name[];
  onStep: (step: Name) => void;
}

/** Where a page stands among its steps. Steps that can be shown are buttons. */
export function Steps<Name extends string>({ label, steps, at, reachable, onStep }: Props<Name>) {
  const now = steps.findIndex(({ name }) => name === at);
  return (
    <nav aria-label={label}>
      <ol className={styles.steps}>
        {steps.map(({ name, word: text }, index) => {
          const word = (
            <>
              <span className={styles.number} aria-hidden>
                {index < now ? <Icon name="check" size={13} /> : index + 1}
              </span>
              <span>{text}</span>
            </>
          );
          return (
            <li key={name} data-done={index < now || undefined} data-now={index === now || undefined}>
              {name !== at && reachable.includes(name) ? (
                <button type="button" onClick={() => onStep(name)}>
                  {word}
                </button>
              ) : (
                <span aria-current={index === now ? 'step' : undefined}>{word}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
