import type { useTranslation } from 'react-i18next';
import type { getSystemHealth, HealthFinding, HealthState } from '../../../../../contract/shell/system-health.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { formatBytes, type MarkState } from '../../../parts/index.ts';

export type Health = ReplyOf<typeof getSystemHealth>;
export type Subject = Health['subjects'][number];
export type Finding = Subject['findings'][number];
export type Words = ReturnType<typeof useTranslation<'health'>>['t'];

export const markOf: Readonly<Record<HealthState, MarkState>> = {
  well: 'on',
  degraded: 'degraded',
  failing: 'alarm',
  unknown: 'unknown',
};

const units = new Map<string, Intl.NumberFormat>();
function inUnit(value: number, unit: string, language: string, decimals: number): string {
  const id = `${language}/${unit}/${decimals}`;
  const format =
    units.get(id) ??
    new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: decimals,
    });
  units.set(id, format);
  return format.format(value);
}

/** 45 s, 12 min, 3 h, 4 days: the unit that says most. */
export function duration(seconds: number, language: string): string {
  if (seconds < 120) return inUnit(seconds, 'second', language, seconds < 10 ? 1 : 0);
  if (seconds < 7200) return inUnit(seconds / 60, 'minute', language, 0);
  if (seconds < 172_800) return inUnit(seconds / 3600, 'hour', language, 0);
  return inUnit(seconds / 86_400, 'day', language, 0);
}

export const milliseconds = (ms: number, language: string): string =>
  ms < 1000 ? inUnit(ms, 'millisecond', language, ms < 10 ? 1 : 0) : duration(ms / 1000, language);

export const percent = (value: number, language: string): string => inUnit(value, 'percent', language, 1);
export const whole = (value: number, language: string): string =>
  new Intl.NumberFormat(language === 'en-XA' ? 'en-US' : language, { maximumFractionDigits: 0 }).format(value);

const known = (t: Words, key: string, fallback: string): string => {
  const text = (t as (key: string, options: object) => string)(key, { defaultValue: fallback });
  return text === '' ? fallback : text;
};
/** The name of a kind of background work, of a lease, of a reason; one that has no text yet is written as it is. */
export const jobName = (t: Words, name: string): string => known(t, `job.${name}`, name);
export function leaseName(t: Words, name: string): string {
  const [, n] = /^ingest\/(\d+)$/.exec(name) ?? [];
  return n === undefined ? known(t, `lease.${name}`, name) : t('lease.ingest', { n });
}
export const reasonName = (t: Words, where: string, reason: string): string =>
  known(t, `reason.${where}.${reason}`, reason);
export const groupName = (t: Words, group: string): string => known(t, `group.${group}`, group);

/** Where the devices of a finding stand in its text. */
export const DEVICES = '\u2063';

/** What is wrong, or what to do about it, with the finding's values. */
export const sentence = (
  t: Words,
  key: `finding.${HealthFinding}` | `todo.${HealthFinding}`,
  values: Record<string, string>,
): string => (t as (key: string, options: object) => string)(key, values);

/** The values of a finding as its texts show them. */
export function told(finding: Finding, t: Words, language: string): Record<string, string> {
  return Object.fromEntries([
    ...Object.entries(finding.values).map(([name, value]) => [name, text(name, value, t, language)] as const),
    ['names', DEVICES],
  ]);
}

function text(name: string, value: string | number, t: Words, language: string): string {
  if (name === 'job') return jobName(t, String(value));
  if (name === 'country')
    return (
      new Intl.DisplayNames(language === 'en-XA' ? 'en-US' : language, { type: 'region' }).of(String(value)) ??
      String(value)
    );
  if (name === 'place') return known(t, `place.${value}`, String(value));
  if (typeof value === 'string') return value;
  if (name === 'seconds') return duration(value, language);
  if (name === 'ms') return milliseconds(value, language);
  if (name === 'bytes' || name === 'freeBytes') return formatBytes(value, language);
  if (name === 'percent') return percent(value, language);
  return whole(value, language);
}
