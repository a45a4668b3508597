import { Buffer } from 'node:buffer';
import { writeXlsx } from 'hucre/xlsx';
import type { Language, Names } from '../../../../catalogue/index.ts';
import { ageYears, figureNames } from '../../../../contract/register/statistics.ts';
import { fill } from '../../platform/http/index.ts';
import { cellText } from '../../platform/sheet/index.ts';
import type { AssetStatistics } from './statistics.service.ts';
import type { Controller } from './statistics.store.ts';
import { statisticsTexts } from './texts.ts';

type Cell = string | number | null;
type FigureName = (typeof figureNames)[number];

/** The figures as a workbook: a sheet each, then one of the controllers where there are any. */
export async function workbookOf(
  told: AssetStatistics,
  controllers: readonly Controller[],
  names: Names,
  language: Language,
  day: string,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const texts = statisticsTexts[language];
  const sheets = figureNames.map((name) => {
    const { groups, omitted } = told[name];
    const rows = [
      ...groups.map(({ key, label, count }): Cell[] => [
        label ?? wordOf(name, key, names, language),
        count,
        shareOf(count, told.total),
      ]),
      ...(omitted.groups > 0 ? [[texts.others, omitted.count, shareOf(omitted.count, told.total)]] : []),
    ];
    return sheetOf(texts[name], [texts[name], texts.count, texts.share], rows);
  });
  const content = await writeXlsx({
    sheets: [...sheets, ...(controllers.length > 0 ? [controllerSheet(controllers, names, language)] : [])],
  } as Parameters<typeof writeXlsx>[0]);
  return { name: `${texts.title} ${day}.xlsx`, content: Buffer.from(content) };
}

const shareOf = (count: number, total: number): number | null =>
  total === 0 ? null : Math.round((count / total) * 10_000) / 100;
const hours = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds / 36) / 100);

/** Every text is a text cell, so nothing in it is calculated. */
function sheetOf(name: string, headings: readonly string[], rows: readonly (readonly Cell[])[]) {
  return {
    name,
    freezePane: { rows: 1 },
    columns: headings.map((header, column) => ({
      header,
      width: Math.max(12, Math.min(36, header.length * 2)),
      style: { numFmt: rows.some((row) => typeof row[column] === 'number') ? 'General' : '@' },
    })),
    rows: [[...headings], ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cellText(cell) : cell)))],
  };
}

function controllerSheet(controllers: readonly Controller[], names: Names, language: Language) {
  const t = statisticsTexts[language];
  return sheetOf(
    t.controllers,
    [t.code, t.name, t.families, t.workAreas, t.roads, t.states, t.lamps, t.loops, t.closed, t.online, t.known, t.rate],
    controllers.map((one) => [
      one.code,
      one.name,
      names.family(one.family),
      one.workAreaName,
      one.roadName,
      one.state === null ? null : stateWord(one.state, names, language),
      one.lamps,
      one.loops,
      one.closedLoops,
      hours(one.onlineSeconds),
      hours(one.knownSeconds),
      one.onlineSeconds === null || one.knownSeconds === null ? null : shareOf(one.onlineSeconds, one.knownSeconds),
    ]),
  );
}

const stateWord = (state: string, names: Names, language: Language): string =>
  state === 'online' ? statisticsTexts[language].isOnline : names.state(state);

/** What a group without a name of its own is called. */
function wordOf(figure: FigureName, key: string | null, names: Names, language: Language): string {
  const texts = statisticsTexts[language];
  if (key === null) return figure === 'states' ? texts.silent : texts.none;
  if (figure === 'families') return names.family(key);
  if (figure === 'states') return stateWord(key, names, language);
  if (figure !== 'ages') return key;
  if (key === 'future') return texts.future;
  const from = Number(key);
  const to = ageYears[ageYears.indexOf(from as (typeof ageYears)[number]) + 1];
  const text = to === undefined ? texts.over : from === 0 ? texts.under : texts.years;
  return fill(language, text, { from, to: to ?? '' });
}
