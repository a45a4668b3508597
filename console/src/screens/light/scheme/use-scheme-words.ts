import { useTranslation } from 'react-i18next';
import { planModes, rotations } from '../../../../../catalogue/lighting/plan/programme.ts';
import type { CalendarRule, NamedProgramme, SchemeContent } from '../../../../../catalogue/lighting/plan/scheme.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { formatList } from '../../../parts/index.ts';
import { useClauses, useSentence } from '../../../parts/plan/words.ts';
import type { PathWords } from '../../../parts/versioned/kind.ts';
import { valueAt } from '../../../parts/versioned/paths.ts';
import { useRuleWords } from './rule-words.ts';

/** Paths of a scheme in words, for differences: what it is, and its value as a part of a sentence. */
export function useSchemeWords(): PathWords<SchemeContent> {
  const { t, i18n } = useTranslation('scheme');
  const { t: plan } = useTranslation('plan');
  const names = useNames();
  const clauses = useClauses();
  const sentence = useSentence();
  const ruleWords = useRuleWords();
  const nameOf = (content: SchemeContent, index: number): string =>
    content.programmes[index]?.name || t('programme.unnamed', { n: index + 1 });
  const programmeName = (content: SchemeContent, key: number): string =>
    content.programmes.find((one) => one.key === key)?.name ?? String(key);
  const rule = (content: SchemeContent, one: CalendarRule): string =>
    t(one.enabled ? 'rule.words' : 'rule.wordsOff', {
      label: one.label,
      when: ruleWords(one),
      programme: programmeName(content, one.programme),
    });
  const list = (items: readonly string[]): string => (items.length === 0 ? '—' : formatList(items, i18n.language));
  const parts = (path: string) => {
    const [head, index = '', , ...rest] = path.split('.');
    return { head, index: Number(index), has: index !== '', rest };
  };
  return {
    unit: (path) =>
      /^(programmes\.\d+\.programme\.(?:on|off|minimumMinutes|periods\.\d+)|calendar\.rules\.\d+)(?:\.|$)/.exec(
        path,
      )?.[1] ?? path,
    label(path, content) {
      const { head, index, has, rest } = parts(path);
      if (head === 'mode') return plan('mode');
      if (head === 'rotation') return t('rotation');
      if (head === 'floorExceptions') return t('floor.title');
      if (head === 'programmes') {
        if (!has) return t('tab.programmes');
        const name = nameOf(content, index);
        if (path.endsWith('.name')) return t('path.name', { n: index + 1 });
        const [part, period] = rest;
        if (part === 'on' || part === 'off') return t('path.part', { name, what: plan(`switching.${part}`) });
        if (part === 'minimumMinutes') return t('path.part', { name, what: plan('minimum') });
        if (part === 'periods' && period !== undefined)
          return t('path.part', { name, what: plan('handle.period', { n: Number(period) + 1 }) });
        return name;
      }
      if (path === 'calendar.default') return t('rules.default');
      const at = /^calendar\.rules\.(\d+)/.exec(path)?.[1];
      return at === undefined ? t('rules.title') : t('path.rule', { n: Number(at) + 1 });
    },
    value(path, content) {
      const { head, index, has, rest } = parts(path);
      if (head === 'mode') return plan(`mode.${planModes.find((one) => one === content.mode) ?? 'manual'}`);
      if (head === 'rotation') return t(`rotation.${rotations.find((one) => one === content.rotation) ?? 'weekly'}`);
      if (head === 'floorExceptions')
        return list(
          content.floorExceptions.map(({ roadClass, reason }) =>
            t('floor.words', { road: names.option('roadClass', roadClass), reason }),
          ),
        );
      if (head === 'programmes') {
        if (!has) return list(content.programmes.map((_, at) => nameOf(content, at)));
        const one: NamedProgramme | undefined = content.programmes[index];
        if (one === undefined) return '—';
        if (path.endsWith('.name')) return one.name === '' ? '—' : one.name;
        const [part, period] = rest;
        const all = clauses(one.programme);
        if (part === 'periods' && period !== undefined) {
          const clause = all[Number(period)] ?? '—';
          const ramp = one.programme.periods[Number(period)]?.rampSeconds ?? 0;
          return ramp > 0 ? t('path.ramp', { clause, n: ramp }) : clause;
        }
        if (part === 'on') return all[0] ?? '—';
        if (part === 'off') return all.at(-1) ?? '—';
        if (part === 'minimumMinutes') return t('path.minutes', { n: one.programme.minimumMinutes });
        return sentence(one.programme);
      }
      if (path === 'calendar.default') return programmeName(content, content.calendar.default);
      const at = /^calendar\.rules\.(\d+)/.exec(path)?.[1];
      if (at === undefined) return list(content.calendar.rules.map((one) => rule(content, one)));
      const found = valueAt(content, `calendar.rules.${at}`) as CalendarRule | undefined;
      return found === undefined ? '—' : rule(content, found);
    },
  };
}
