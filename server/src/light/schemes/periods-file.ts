import type { Language } from '../../../../catalogue/languages.ts';
import type { Anchor, Switching } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { fill } from '../../../../catalogue/names.ts';
import { writeSheet, type SheetRow } from '../../platform/sheet/index.ts';
import { schemeTexts } from './texts.ts';

type Words = (typeof schemeTexts)[Language];

/** The periods of a scheme as a workbook: a row each, with the on and off of its programme. */
export function periodsFile({ programmes }: SchemeContent, language: Language): NodeJS.ReadableStream {
  const t = schemeTexts[language];
  const rows = programmes.flatMap((programme) => rowsOf(programme, t));
  return writeSheet({ name: t.title, columns: columnsOf(t), rows: inOne(rows), count: rows.length });
}

function columnsOf(t: Words) {
  const text = (title: string, width = 14) => ({ title, kind: 'text', width }) as const;
  const number = (title: string, width = 14) => ({ title, kind: 'number', width }) as const;
  const switching = (what: string) => [
    text(what, 18),
    number(fill(t.offset, { what })),
    text(fill(t.notBefore, { what })),
    text(fill(t.notAfter, { what })),
    number(fill(t.lux, { what })),
  ];
  return [
    ...[number(t.key, 8), text(t.programme, 24), ...switching(t.on), ...switching(t.off), number(t.minimum)],
    ...[number(t.period, 8), text(t.start, 18), number(fill(t.offset, { what: t.start })), number(t.level)],
    ...[text(t.pattern), number(t.ramp)],
  ];
}

function rowsOf({ key, name, programme }: SchemeContent['programmes'][number], t: Words): SheetRow[] {
  const { on, off, minimumMinutes, periods } = programme;
  return periods.map(({ start, level, pattern, rampSeconds }, place) => [
    ...[key, name, ...switched(on, t), ...switched(off, t), minimumMinutes],
    ...[place + 1, ...(start === 'on' ? [t.on, null] : anchored(start, t))],
    ...[level, t[`pattern.${pattern}`], rampSeconds],
  ]);
}

const switched = ({ notBefore, notAfter, light, ...anchor }: Switching, t: Words) => [
  ...anchored(anchor, t),
  ...[notBefore, notAfter, light?.lux ?? null],
];

/** A wall-clock time stands as it is. */
function anchored({ at, offsetMinutes }: Anchor, t: Words): [string, number] {
  const words: Readonly<Record<string, string>> = {
    sunset: t['anchor.sunset'],
    sunrise: t['anchor.sunrise'],
    dusk: t['anchor.dusk'],
    dawn: t['anchor.dawn'],
    middle: t['anchor.middle'],
  };
  return [words[at] ?? at, offsetMinutes];
}

async function* inOne(rows: readonly SheetRow[]): AsyncGenerator<readonly SheetRow[]> {
  yield await Promise.resolve(rows);
}
