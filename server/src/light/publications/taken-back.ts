import type { Language } from '../../../../catalogue/languages.ts';
import { fill } from '../../../../catalogue/names.ts';
import type { firstPartFailures } from '../../../../contract/light/publications.ts';
import { publicationTexts } from './texts.ts';

/** What the first part of a publication showed that the program took back, and what was asked of it. */
export interface TakenBack {
  readonly judged: {
    readonly reportedPercent?: number | null;
    readonly provenPercent?: number | null;
    readonly litPercent?: number | null;
    readonly litBeforePercent?: number | null;
    readonly newAlarms?: number;
    readonly failed?: readonly (typeof firstPartFailures)[number][];
  } | null;
  readonly criteria: { readonly reportedPercent: number; readonly provenPercent: number };
}

/** Why the program took a publication back, for people. */
export function whyTakenBack({ judged, criteria }: TakenBack, language: Language): string {
  const { takenBack, failed } = publicationTexts[language];
  const decimals = new Intl.NumberFormat(language, { useGrouping: false });
  const shown = (value: number | null | undefined) => decimals.format(value ?? 0);
  const values = {
    reported: { shown: shown(judged?.reportedPercent), asked: shown(criteria.reportedPercent) },
    proven: { shown: shown(judged?.provenPercent), asked: shown(criteria.provenPercent) },
    lit: { shown: shown(judged?.litPercent), before: shown(judged?.litBeforePercent) },
    alarms: { shown: shown(judged?.newAlarms) },
  };
  return [takenBack, ...(judged?.failed ?? []).map((one) => fill(failed[one], values[one]))].join(' · ');
}
