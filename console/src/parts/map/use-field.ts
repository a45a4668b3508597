import { useEffect, useState } from 'react';
import type { LampField } from './lamp-field.ts';

/** A number that grows when the lamps changed, at most once a second: for counts and pills, not for the map itself. */
export function useFieldVersion(field: LampField | null, everyMs = 1000): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    if (field === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const bump = () => setVersion((before) => before + 1);
    const stop = field.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = null;
        bump();
      }, everyMs);
    });
    bump();
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [field, everyMs]);
  return version;
}
