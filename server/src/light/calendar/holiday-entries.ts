import { tableClasses, type TableClass } from '../../../../catalogue/lighting/plan/calendar.ts';
import type { Problem, Rule } from '../../../../catalogue/fields/kind.ts';

/** What the lines of a file of holidays say, whatever its format. */

/** What one line says, before it is judged. An absent class is a day off. */
export interface Entry {
  /** From 1. */
  readonly line: number;
  readonly date: string;
  readonly class?: string;
  readonly name: string;
}
/** The entries of a file, and what in it is none. */
export interface Entries {
  readonly entries: readonly Entry[];
  readonly problems: readonly Problem[];
}

export const atLine = (line: number, field: string, rule: Rule, params?: Problem['params']): Problem => ({
  field: `lines.${line}.${field}`,
  rule,
  ...(params ? { params } : {}),
});

/** How people write the classes; compared without case and spaces. */
const words: Readonly<Record<TableClass, readonly string[]>> = {
  public: [
    'public',
    'holiday',
    'off',
    '休',
    '休息',
    '放假',
    '节假日',
    '節假日',
    '假日',
    '祝日',
    '休日',
    '공휴일',
    'férié',
    'jour férié',
  ],
  makeupWorkday: ['makeupworkday', 'workday', 'work', '班', '补班', '補班', '上班', '调休', '補行上班', '출근'],
  eve: ['eve', '前夕', '前夜', '전날', 'veille'],
};
export const classOf = (word: string): TableClass | undefined => {
  const asked = word.trim().toLowerCase();
  return tableClasses.find((one) => words[one].includes(asked));
};

/** `2027-01-01`, `2027/1/1`, `20270101`, `2027年1月1日`; undefined: no such day. */
export function dayIn(text: string): string | undefined {
  const [, year = '', month = '', day = ''] =
    /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?)$/.exec(text.trim()) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(text.trim()) ??
    [];
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = new Date(written);
  return year !== '' && Number.isFinite(at.getTime()) && at.toISOString().startsWith(written) ? written : undefined;
}
