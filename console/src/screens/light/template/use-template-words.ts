import { useTranslation } from 'react-i18next';
import { lampLimits } from '../../../../../catalogue/alarms/lamp-limits.ts';
import { familyOfTemplate } from '../../../../../catalogue/lighting/families.ts';
import type { TemplateContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatList, formatNumber, formatPercent } from '../../../parts/index.ts';
import { useClauses, useSentence } from '../../../parts/plan/words.ts';
import type { PathWords } from '../../../parts/versioned/kind.ts';
import { lightFieldNames, lightFields, numberFieldNames, numberFields } from './fields.ts';

/** Paths of a template in words, for differences: what it is, and its value as a part of a sentence. */
export function useTemplateWords(): PathWords<TemplateContent> {
  const { t, i18n } = useTranslation('template');
  const { t: plan } = useTranslation('plan');
  const names = useNames();
  const clauses = useClauses();
  const sentence = useSentence();
  const number = (n: number): string =>
    Number.isFinite(n) ? formatNumber(n, i18n.language, String(n).split('.')[1]?.length ?? 0) : '—';
  const list = (items: readonly string[]): string => (items.length === 0 ? '—' : formatList(items, i18n.language));
  const plain = (path: string) => numberFieldNames.find((name) => name === path);
  const place = (path: string) => (['latitude', 'longitude'] as const).find((name) => name === path);
  /** The part of the programme that a path is about, and of a period its place. */
  const part = (path: string) => {
    const [head, name, index] = path.split('.');
    return head === 'fallbackProgramme' ? { name, index: index === undefined ? null : Number(index) } : null;
  };
  return {
    unit: (path) =>
      /^(fallbackProgramme\.(?:on|off|minimumMinutes|periods\.\d+)|light|thresholds)(?:\.|$)/.exec(path)?.[1] ?? path,
    label(path) {
      const name = plain(path);
      if (name !== undefined) return t(`field.${name}`);
      const degree = place(path);
      if (degree !== undefined) return t(`field.${degree}`);
      if (path === 'family') return t('family');
      if (path === 'light') return t('section.light');
      if (path === 'thresholds') return t('section.limits');
      const of = part(path);
      const part2 = of?.name;
      if (part2 === 'on' || part2 === 'off') return t('path.fallback', { what: plan(`switching.${part2}`) });
      if (part2 === 'minimumMinutes') return t('path.fallback', { what: plan('minimum') });
      if (part2 === 'periods' && of !== null && of.index !== null)
        return t('path.fallback', { what: plan('handle.period', { n: of.index + 1 }) });
      return t('tab.fallback');
    },
    value(path, content) {
      if (path === 'family') return names.family(familyOfTemplate(content));
      const name = plain(path);
      if (name !== undefined) {
        const { unit } = numberFields[name];
        const value = content[name];
        return unit === 'percent' && Number.isFinite(value)
          ? formatPercent(value, i18n.language)
          : t('value', { value: number(value), unit: t(`unit.${unit}`) });
      }
      const degree = place(path);
      if (degree !== undefined) {
        const at = content[degree];
        return at === null ? t('place.own') : `${number(at)}°`;
      }
      if (path === 'light') {
        const { light } = content;
        if (light === null) return t('light.none');
        return list(
          lightFieldNames.map((one) => {
            const { unit } = lightFields[one];
            const value = number(light[one]);
            return t('path.part', {
              what: t(`field.light.${one}`),
              value: unit === null ? value : t('value', { value, unit: t(`unit.${unit}`) }),
            });
          }),
        );
      }
      if (path === 'thresholds')
        return list(
          lampLimits.flatMap(({ code, unit }) => {
            const value = content.thresholds[code];
            if (value === undefined) return [];
            const what = t('limit.label', { code, name: names.fault(code) });
            return [t('path.part', { what, value: t('value', { value: number(value), unit: names.unit(unit) }) })];
          }),
        );
      const programme = content.fallbackProgramme;
      const of = part(path);
      const all = clauses(programme);
      if (of?.name === 'on') return all[0] ?? '—';
      if (of?.name === 'off') return all.at(-1) ?? '—';
      if (of?.name === 'minimumMinutes')
        return t('value', { value: number(programme.minimumMinutes), unit: t('unit.minutes') });
      if (of?.name === 'periods' && of.index !== null) return all[of.index] ?? '—';
      return sentence(programme);
    },
  };
}
