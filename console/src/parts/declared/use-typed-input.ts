import { useState } from 'react';
import { ask } from '../../frame/ask.ts';
import { useUnsaved } from '../../frame/index.ts';

/**
 * A drawer whose form may hold typed input: closing its tab asks before that is lost, and so does whatever goes through
 * `guard`. What was typed is forgotten as soon as nothing is `open` any more.
 */
export function useTypedInput(open: boolean, title: string) {
  const [typed, setTyped] = useState(false);
  if (!open && typed) setTyped(false);
  useUnsaved(typed);
  const guard = (proceed: () => void): void => {
    if (!typed) return proceed();
    void ask({ kind: 'unsaved', pages: [{ title, language: null }] }).then((agreed) => {
      if (!agreed) return;
      setTyped(false);
      proceed();
    });
  };
  return { setTyped, guard };
}
