import type { Static } from 'typebox';
import {
  appearanceLimits,
  hostPattern,
  type LoginAppearance,
} from '../../../../../contract/people/login-appearances.ts';

export type Appearance = Static<typeof LoginAppearance>;
/** Where the product's own mark and icon lie. */
export const own = { logo: '/media/logo.svg', icon: '/favicon.svg' } as const;

/** Only one has no host: it holds everywhere else, and always exists. */
export const isGeneral = ({ host }: Pick<Appearance, 'host'>): boolean => host === null;

export interface AppearanceValues {
  host: string;
  company: boolean;
  name: string;
  title: string;
  logo: string | null;
  icon: string | null;
}
export type AppearanceField = keyof AppearanceValues;
export const appearanceFields = [
  'host',
  'name',
  'title',
  'logo',
  'icon',
  'company',
] as const satisfies readonly AppearanceField[];

export const valuesOf = ({ host, company, name, title, logo, icon }: Appearance): AppearanceValues => ({
  host: host ?? '',
  company,
  name,
  title,
  logo,
  icon,
});
/** A new one begins with what the general one says. */
export const startOf = (general: Appearance | undefined): AppearanceValues => ({
  host: '',
  company: false,
  name: general?.name ?? '',
  title: general?.title ?? '',
  logo: general?.logo ?? null,
  icon: general?.icon ?? null,
});
export const differing = (a: AppearanceValues, b: AppearanceValues): AppearanceField[] =>
  appearanceFields.filter((field) => a[field] !== b[field]);

export type AppearanceRule =
  | 'rule.host.required'
  | 'rule.host.form'
  | 'rule.host.taken'
  | 'rule.name'
  | 'rule.title'
  | 'rule.long';
const host = new RegExp(hostPattern);
const tooLong = (text: string, limit: number): boolean => [...text.trim()].length > limit;

/** Everything wrong with what was typed, every field at once; `taken` are the host names of the others. */
export function problemsOf(
  values: AppearanceValues,
  general: boolean,
  taken: readonly string[],
): Partial<Record<AppearanceField, AppearanceRule>> {
  const name = values.host.trim().toLowerCase();
  const hostRule = general
    ? undefined
    : name === ''
      ? 'rule.host.required'
      : !host.test(name) || tooLong(name, appearanceLimits.host)
        ? 'rule.host.form'
        : taken.includes(name)
          ? 'rule.host.taken'
          : undefined;
  const text = (field: 'name' | 'title'): AppearanceRule | undefined =>
    values[field].trim() === ''
      ? `rule.${field}`
      : tooLong(values[field], appearanceLimits[field])
        ? 'rule.long'
        : undefined;
  return Object.fromEntries(
    Object.entries({ host: hostRule, name: text('name'), title: text('title') }).filter(
      ([, rule]) => rule !== undefined,
    ),
  );
}
