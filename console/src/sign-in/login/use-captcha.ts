import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { fetchCaptcha, type Captcha } from '../calls.ts';

/** `none`: the server asks for no captcha. */
export type CaptchaState = { readonly kind: 'loading' | 'failed' | 'none' } | ({ readonly kind: 'ready' } & Captcha);

/** A captcha lives 5 minutes (decisions 3); an untouched one is replaced shortly before. */
const REPLACE_AFTER_MS = 285_000;

/** Holds the picture; `next` fetches another one and wins over an older answer that comes late. */
export function useCaptcha(untouched: boolean): { captcha: CaptchaState; next: () => void } {
  const [captcha, setCaptcha] = useState<CaptchaState>({ kind: 'loading' });
  const latest = useRef(0);
  const next = useCallback(() => {
    const mine = (latest.current += 1);
    setCaptcha((before) => (before.kind === 'none' ? before : { kind: 'loading' }));
    void fetchCaptcha().then((state) => {
      if (mine === latest.current) setCaptcha(state);
    });
  }, []);
  useEffect(next, [next]);
  useEffect(() => {
    if (captcha.kind !== 'ready' || !untouched) return undefined;
    const timer = setTimeout(next, REPLACE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [captcha, untouched, next]);
  return { captcha, next };
}
