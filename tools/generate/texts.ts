import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '../../catalogue/languages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const nameOf = (language: string): string => language.replace('-', '');

/** The placeholders of the texts below a value, by their path. */
function placeholdersIn(value: unknown, path = ''): [path: string, names: string[]][] {
  if (typeof value === 'string') {
    const names = [...new Set([...value.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name))];
    return names.length > 0 ? [[path, names]] : [];
  }
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, path === '' ? key : `${path}.${key}`));
}

/**
 * `texts/index.ts` of every folder of texts of the server: all languages of them, and the placeholders of refusals. By
 * path.
 */
export function textModules(): Map<string, string> {
  return new Map(
    globSync('server/src/**/texts/zh-CN.json', { cwd: root })
      .toSorted()
      .map((source) => {
        const folder = dirname(source);
        // Whoever refuses must give what the words of the refusal need.
        const placeholders = placeholdersIn(JSON.parse(readFileSync(join(root, source), 'utf8'))).filter(([path]) =>
          path.startsWith('errors.'),
        );
        return [
          join(folder, 'index.ts'),
          [
            '// Written by `npm run generate` from the JSON files beside it: zh-CN is the source, each language has the same keys and placeholders.',
            ...languages
              .toSorted()
              .map((language) => `import ${nameOf(language)} from './${language}.json' with { type: 'json' };`),
            '',
            `export const written = { ${languages.map((language) => `'${language}': ${nameOf(language)}`).join(', ')} };`,
            ...(placeholders.length === 0
              ? []
              : [
                  '',
                  '/** The placeholders of the words of refusals, where there are some. */',
                  'export interface Placeholders {',
                  ...placeholders.map(
                    ([path, names]) =>
                      `  '${path}': ${names
                        .toSorted()
                        .map((name) => `'${name}'`)
                        .join(' | ')};`,
                  ),
                  '}',
                ]),
            '',
          ].join('\n'),
        ];
      }),
  );
}

/**
 * `console/src/locales/areas.ts`: the texts of the console by area. An area is called as the folder that has the texts;
 * the sign-in page, an entry of its own, is none.
 */
export function consoleAreas(): string {
  const areas = globSync('console/src/**/texts/zh-CN.json', { cwd: root, exclude: ['console/src/sign-in/**'] })
    .map((source) => ({ area: basename(dirname(dirname(source))), source: source.replace('console/src/', '../') }))
    .toSorted((one, other) => (one.area < other.area ? -1 : 1));
  const twice = areas.find(({ area }, index) => area === areas[index + 1]?.area);
  if (twice) throw new Error(`two folders called ${twice.area} have texts: rename one of them`);
  const typeOf = (area: string): string => area.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return [
    '// Written by `npm run generate` from the folders that have texts. Do not edit.',
    ...areas.map(({ area, source }) => `import type ${typeOf(area)} from '${source}';`),
    '',
    '/**',
    ' * The areas of texts by the folder that has them, `<folder>/texts/<language>.json`, each loaded when a screen first',
    " * asks for it with `useTranslation('<folder>')`. zh-CN is the source: keys are typed from it. Flat keys with dots,",
    ' * placeholders `{{name}}`, no plural suffixes.',
    ' */',
    'export interface Areas {',
    ...areas.map(({ area }) => `  ${area.includes('-') ? `'${area}'` : area}: typeof ${typeOf(area)};`),
    '}',
    'export type AreaName = keyof Areas;',
    '',
    "declare module 'i18next' {",
    '  interface CustomTypeOptions {',
    "    defaultNS: 'shell';",
    '    resources: Areas;',
    '    keySeparator: false;',
    '    nsSeparator: false;',
    '    returnNull: false;',
    '  }',
    '}',
    '',
  ].join('\n');
}
