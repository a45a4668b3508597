import { Buffer } from 'node:buffer';
import { writeXlsx } from 'hucre/xlsx';
import { namesIn, type Family, type Field, type Language } from '../../../../catalogue/index.ts';
import { fill } from '../../platform/http/index.ts';
import { importable } from './plan.ts';
import type { RowProblem } from './row.ts';
import { importTexts } from './texts.ts';

const templateRows = 5000;
const columnLetter = (index: number): string =>
  (index < 26 ? '' : String.fromCodePoint(64 + Math.floor(index / 26))) + String.fromCodePoint(65 + (index % 26));

/** A problem of a row in words. */
export function problemText({ rule, params, text }: RowProblem, language: Language): string {
  const own = importTexts[language].rules as Readonly<Record<string, string>>;
  const words =
    own[rule] === undefined ? namesIn(language).rule(rule, params) : fill(language, own[rule], params ?? {});
  return text === null || text === '' ? words : `${words} (${text})`;
}

/**
 * An empty workbook for a family: its columns named in a language, required ones marked, drop-downs where there are
 * options.
 */
export async function templateOf(
  family: Family,
  language: Language,
): Promise<{ readonly name: string; readonly content: Buffer }> {
  const names = namesIn(language);
  const texts = importTexts[language];
  const fields = importable(family);
  const lists = fields.flatMap((field, column) => {
    const words = choicesOf(field, (set, option) => names.option(set, option));
    return words ? [{ column, words }] : [];
  });
  const heading = (field: Field) =>
    `${names.field(field.key, family.key)}${'unit' in field && field.unit ? ` (${names.unit(field.unit)})` : ''}${field.required ? ' *' : ''}`;
  const longest = Math.max(0, ...lists.map(({ words }) => words.length));
  const content = await writeXlsx({
    sheets: [
      {
        name: texts.dataSheet,
        columns: fields.map((field) => ({
          header: heading(field),
          width: Math.max(14, heading(field).length * 2),
          style: { numFmt: '@' },
        })),
        rows: [fields.map(heading)],
        freezePane: { rows: 1 },
        dataValidations: lists.map(({ column, words }, index) => ({
          type: 'list' as const,
          range: `${columnLetter(column)}2:${columnLetter(column)}${templateRows}`,
          allowBlank: true,
          formula1: `'${texts.optionSheet}'!$${columnLetter(index)}$2:$${columnLetter(index)}$${words.length + 1}`,
        })),
      },
      {
        name: texts.optionSheet,
        rows: [
          lists.map(({ column }) => names.field(fields[column]?.key ?? '', family.key)),
          ...Array.from({ length: longest }, (_, row) => lists.map(({ words }) => words[row] ?? null)),
        ],
      },
    ],
  } as Parameters<typeof writeXlsx>[0]);
  return { name: `${texts.template} ${names.family(family.key)}.xlsx`, content: Buffer.from(content) };
}

function choicesOf(field: Field, word: (set: string, option: string) => string): readonly string[] | undefined {
  if (field.kind === 'select') return field.options.map((option) => word(field.optionSet, option));
  return field.kind === 'boolean' ? ['true', 'false'].map((option) => word('boolean', option)) : undefined;
}
