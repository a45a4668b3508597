import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { inspectTable, type TableLook } from '../../platform/table-file/index.ts';
import { atLine, classOf, dayIn, type Entries } from './holiday-entries.ts';
import { entriesOfIcs } from './holiday-ics.ts';
import { entriesOfJson } from './holiday-json.ts';
import type { StoredDay } from './holidays.store.ts';

/** Holidays of a year as people have them: .ics, .json, or a table. */

const headings = {
  date: ['date', 'day', '日期', '日付', '날짜', 'jour'],
  class: ['class', 'type', '类别', '类型', '類別', '類型', '区分', '구분', 'catégorie'],
  name: ['name', 'holiday', '名称', '节日', '名稱', '節日', '名前', '이름', 'nom'],
} as const;

function entriesOfTable({ headings: given, rows }: TableLook): Entries {
  const columnOf = (column: keyof typeof headings): number =>
    given.findIndex((title) => headings[column].some((one) => one === title.trim().toLowerCase()));
  const [date, kind, name] = [columnOf('date'), columnOf('class'), columnOf('name')];
  const missing = (['date', 'name'] as const).filter((column) => columnOf(column) < 0);
  if (missing.length > 0) return { entries: [], problems: missing.map((column) => atLine(1, column, 'required')) };
  const entries = rows.map(({ number, cells }) => ({
    line: number,
    date: cells[date] ?? '',
    name: cells[name] ?? '',
    ...(kind < 0 ? {} : { class: cells[kind] ?? '' }),
  }));
  return { entries, problems: [] };
}

/** By its first characters: .ics, .json, else a table. Throws TableRefusal for what is no table. */
async function entriesOf(bytes: Uint8Array): Promise<Entries> {
  const text = new TextDecoder()
    .decode(bytes)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^BEGIN:VCALENDAR/i.test(text)) return entriesOfIcs(text);
  if (/^[[{]/.test(text)) return entriesOfJson(text);
  return entriesOfTable(await inspectTable(bytes));
}

/** The days of a year in a file, or everything that is wrong with it. */
export async function readHolidays(
  bytes: Uint8Array,
  year: number,
): Promise<{ readonly days: readonly StoredDay[]; readonly problems: readonly Problem[] }> {
  const { entries, problems: broken } = await entriesOf(bytes);
  const problems = [...broken];
  const days = new Map<string, StoredDay>();
  const { max } = planLimits.holidayName;
  for (const { line, date, class: word = '', name } of entries) {
    const day = dayIn(date);
    const of = word.trim() === '' ? 'public' : classOf(word);
    const called = name.trim();
    const wrong = [
      ...(date.trim() === ''
        ? [atLine(line, 'date', 'required')]
        : day === undefined
          ? [atLine(line, 'date', 'date')]
          : []),
      ...(day !== undefined && !day.startsWith(`${year}-`) ? [atLine(line, 'date', 'otherYear', { year })] : []),
      ...(of === undefined ? [atLine(line, 'class', 'option')] : []),
      ...(called === '' ? [atLine(line, 'name', 'required')] : []),
      ...([...called].length > max ? [atLine(line, 'name', 'maxLength', { max })] : []),
    ];
    if (day !== undefined && days.has(day)) wrong.push(atLine(line, 'date', 'twice'));
    problems.push(...wrong);
    if (day !== undefined && of !== undefined && wrong.length === 0) days.set(day, { day, class: of, name: called });
  }
  if (problems.length === 0 && ![...days.values()].some((one) => one.class === 'public'))
    problems.push(atLine(1, 'class', 'required'));
  return { days: [...days.values()], problems };
}
