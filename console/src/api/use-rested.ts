import { useEffect, useState } from 'react';

/** The typing has rested so many milliseconds (specified 11.2). */
const restMs = 200;

/** The text of a search box once the typing rests. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
