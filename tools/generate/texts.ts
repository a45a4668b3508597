import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
