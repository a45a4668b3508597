import { useState } from 'preact/hooks';

/**
 * The typed values of a form and which required ones are missing: named on leaving a field, and all at once by
 * `firstMissing`.
 */
export function useFields<Name extends string>(
  initial: () => Readonly<Record<Name, string>>,
  onTyped: (typed: boolean) => void,
) {
  const [values, setValues] = useState(initial);
  const [missing, setMissing] = useState<ReadonlySet<Name>>(new Set());
  const put = (name: Name, value: string): void => setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    missing,
    put,
    set:
      (name: Name) =>
      (value: string): void => {
        put(name, value);
        setMissing((before) => new Set([...before].filter((other) => other !== name)));
        onTyped(true);
      },
    leave: (name: Name) => (): void => {
      if (values[name].trim() === '') setMissing((before) => new Set([...before, name]));
    },
    /** Marks every empty one of `needed`; returns the first of them, where the cursor should go. */
    firstMissing: (needed: readonly Name[]): Name | undefined => {
      const empty = needed.filter((name) => values[name].trim() === '');
      setMissing(new Set(empty));
      return empty[0];
    },
  };
}
