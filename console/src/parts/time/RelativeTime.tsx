import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTime } from './zone.ts';

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all relative times of the page. */
function onTick(listen: () => void): () => void {
  listeners.add(listen);
  timer ??= setInterval(() => listeners.forEach((each) => each()), 10_000);
  return () => {
    listeners.delete(listen);
    if (listeners.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** "8 seconds ago" in a language; the far future of a wrong clock is written as it is. */
export function relativeText(at: Date, now: number, language: string): string {
  const seconds = Math.round((at.getTime() - now) / 1000);
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  const format = new Intl.RelativeTimeFormat(language === 'en-XA' ? 'en-US' : language, {
    numeric: 'always',
    style: 'short',
  });
  return format.format(Math.trunc(seconds / length), unit);
}

/** How long ago, with the exact time on hover and for readers; "—" when missing. */
export function RelativeTime({ at }: { at: string | number | Date | null | undefined }) {
  const { i18n } = useTranslation('parts');
  const time = useTime();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => onTick(() => setNow(Date.now())), []);
  if (at === null || at === undefined) return <span>—</span>;
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  return (
    <time dateTime={date.toISOString()} title={time(date, 'dateTime')}>
      {relativeText(date, Math.max(now, Date.now()), i18n.language)}
    </time>
  );
}
