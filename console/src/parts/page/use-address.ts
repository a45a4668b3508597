import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export type AddressValues = Readonly<Record<string, string | number | null | undefined>>;

/**
 * The query of the address and a way to change some of it in its place: what is empty is taken out, what is not named
 * stays.
 */
export function useAddress(): readonly [URLSearchParams, (values: AddressValues) => void] {
  const [params, setParams] = useSearchParams();
  const put = useCallback(
    (values: AddressValues): void =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values)) {
            if (value === null || value === undefined || value === '') next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [params, put];
}
