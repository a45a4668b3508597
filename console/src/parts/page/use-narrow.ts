import { useSyncExternalStore } from 'react';

const QUERY = '(max-width: 599px)';
const listenTo = (listen: () => void): (() => void) => {
  const media = window.matchMedia(QUERY);
  media.addEventListener('change', listen);
  return () => media.removeEventListener('change', listen);
};

/** Whether the window is as narrow as a phone: a table then becomes cards. */
export const useNarrow = (): boolean => useSyncExternalStore(listenTo, () => window.matchMedia(QUERY).matches);
