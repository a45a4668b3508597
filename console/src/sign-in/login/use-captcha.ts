import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchCaptcha, type CaptchaAnswer } from '../calls.ts';

export type CaptchaState = CaptchaAnswer | { readonly kind: 'loading' };

/** A captcha lives 5 minutes (specified 1.1); an untouched one is replaced shortly before. */
const REPLACE_AFTER_MS = 285_000;

/**
 * Holds the picture; `next` fetches another one and wins over an older answer that comes late; `settled` waits for the
 * last one asked for.
 */
export function useCaptcha(untouched: boolean): {
  captcha: CaptchaState;
  next: () => void;
  settled: () => Promise<CaptchaAnswer>;
} {
  const [captcha, setCaptcha] = useState<CaptchaState>({ kind: 'loading' });
  const latestRef = useRef<Promise<CaptchaAnswer>>(undefined);
  const next = useCallback(() => {
    const asked = fetchCaptcha();
    latestRef.current = asked;
    setCaptcha((before) => (before.kind === 'none' ? before : { kind: 'loading' }));
    void asked.then((answer) => {
      if (asked === latestRef.current) setCaptcha(answer);
    });
  }, []);
  const settled = useCallback(() => latestRef.current ?? fetchCaptcha(), []);
  useEffect(next, [next]);
  useEffect(() => {
    if (captcha.kind !== 'ready' || !untouched) return undefined;
    const timer = setTimeout(next, REPLACE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [captcha, untouched, next]);
  return { captcha, next, settled };
}
