import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { ConnectionEntry } from '../../../../contract/wires/connections.ts';
import { useEpisodeWords } from '../episodes/words.ts';

export type Entry = Static<typeof ConnectionEntry>;

/** A share in percent, never rounded up to a hundred; null where nothing was due. */
export function rateText(
  { online, due }: { readonly online: number; readonly due: number },
  language: string,
): string | null {
  if (due <= 0) return null;
  const share = Math.floor((online / due) * 10_000 + 1e-6) / 10_000;
  return new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
    style: 'percent',
    maximumFractionDigits: 2,
  }).format(Math.max(0, Math.min(1, share)));
}

/** The words of the connection log. */
export function useConnectionWords() {
  const { i18n } = useTranslation('connections');
  return {
    ...useEpisodeWords(),
    rate: (shares: { readonly online: number; readonly due: number }): string | null => rateText(shares, i18n.language),
  };
}
