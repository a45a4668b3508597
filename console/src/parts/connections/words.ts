import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import type { ConnectionEntry } from '../../../../contract/routes/connections.ts';
import type { MarkState } from '../StateMark.tsx';

export type Entry = Static<typeof ConnectionEntry>;

const marks: Readonly<Record<Entry['kind'], MarkState>> = { offline: 'offline', link: 'partial', refused: 'alarm', unpowered: 'off' };
/** An outage that is over is no state any more. */
export const markOf = ({ kind, endedAt }: Pick<Entry, 'kind' | 'endedAt'>): MarkState => (kind === 'offline' && endedAt !== null ? 'info' : marks[kind]);

const units = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]] as const;

/** How long, in the two largest units: "2 d 3 h", "4 min 20 s". */
export function lengthText(seconds: number, language: string): string {
  const tag = language === 'en-XA' ? 'en-US' : language;
  const write = (value: number, unit: string): string => new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const whole = Math.max(0, Math.round(seconds));
  const first = units.findIndex(([, length]) => whole >= length);
  const [unit, length] = units[first] ?? ['second', 1] as const;
  const [next, nextLength] = units[first + 1] ?? ['second', 1] as const;
  const rest = first < 0 || first + 1 >= units.length ? 0 : Math.floor((whole % length) / nextLength);
  return rest === 0 ? write(Math.floor(whole / length), unit) : `${write(Math.floor(whole / length), unit)} ${write(rest, next)}`;
}

/** A share in percent, never rounded up to a hundred; null where nothing was due. */
export function rateText({ online, due }: { readonly online: number; readonly due: number }, language: string): string | null {
  if (due <= 0) return null;
  const share = Math.floor((online / due) * 10_000 + 1e-6) / 10_000;
  return new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, { style: 'percent', maximumFractionDigits: 2 }).format(Math.max(0, Math.min(1, share)));
}

/** The words of the connection log. */
export function useConnectionWords() {
  const { t, i18n } = useTranslation('connections');
  return {
    kind: (kind: Entry['kind']): string => t(`kind.${kind}`), reason: (reason: Entry['reason']): string => t(`reason.${reason}`),
    length: (seconds: number): string => lengthText(seconds, i18n.language),
    rate: (shares: { readonly online: number; readonly due: number }): string | null => rateText(shares, i18n.language),
    /** How long something lasted or has lasted until now. */
    lasted: ({ seconds, lastAt }: Pick<Entry, 'seconds' | 'lastAt'>, now: number): string => lengthText(seconds ?? (now - Date.parse(lastAt)) / 1000, i18n.language),
  };
}
