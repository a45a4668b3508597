import { readdirSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Areas whose texts come in one file, by its name; an area that is not named comes with `texts`. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'device-texts': [
    'lamp',
    'commands',
    'base-maps',
    'devices',
    'device-map',
    'connections',
    'curves',
    'topology',
    'attachments',
  ],
  'plan-texts': [
    'plan',
    'versioned',
    'publishing',
    'publish',
    'exceptions',
    'schedule',
    'scheme',
    'schemes',
    'template',
    'templates',
    'rows',
    'command-policy',
  ],
  'account-texts': [
    'users',
    'user-form',
    'profile',
    'avatar',
    'organisations',
    'work-groups',
    'roles',
    'logs',
    'appearance',
    'menus',
    'icons',
  ],
  'site-texts': ['health', 'imports', 'provisioning', 'statistics', 'storage'],
};
const firstGroup = 'texts';
const groupOfArea = new Map(
  Object.entries(groups).flatMap(([group, areas]) => areas.map((area) => [area, group] as const)),
);

interface TextFile {
  readonly path: string;
  readonly area: string;
  readonly language: string;
  /** Name of the built file: `device-texts-fr-FR`. */
  readonly bundle: string;
}

/** Every file of texts but the sign-in page's, which is an entry of its own. */
function textFiles(source: string): TextFile[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\/texts\/[^/]+\.json$/.test(file) && !file.startsWith('sign-in/'))
    .toSorted()
    .map((file) => {
      const [, area = '', language = ''] = /([^/]+)\/texts\/([^/]+)\.json$/.exec(file) ?? [];
      return {
        path: `${source}/${file}`,
        area,
        language,
        bundle: `${groupOfArea.get(area) ?? firstGroup}-${language}`,
      };
    });
}

/** The module that stands for `locales/text-files.ts`: one import for each bundle. */
function loaderModule(files: readonly TextFile[]): string {
  const bundles = [...new Set(files.map(({ bundle }) => bundle))];
  return [
    `const bundles = {${bundles.map((name) => `'${name}': () => import('${textsPrefix}${name}')`).join(',')}};`,
    `const groups = ${JSON.stringify(Object.fromEntries(groupOfArea))};`,
    `export const readTexts = (area, language) => {
      const load = bundles[(groups[area] ?? '${firstGroup}') + '-' + language];
      return load?.().then(({ default: texts }) => texts[area]);
    };`,
  ].join('\n');
}

const bundleModule = (files: readonly TextFile[]): string =>
  [
    ...files.map(({ path }, index) => `import t${index} from ${JSON.stringify(path)};`),
    `export default {${files.map(({ area }, index) => `'${area}': t${index}`).join(',')}};`,
  ].join('\n');

/** How a module of bundled texts is named, before `device-texts-fr-FR`. */
export const textsPrefix = 'lampyris-texts/';

/**
 * In the build the texts of a group are one file for each language, asked for once; in tests and development each area
 * is its own. `source`: the folder console/src.
 */
export function textsInBundles(source: string): Plugin {
  let known: readonly TextFile[] | undefined;
  const files = (): readonly TextFile[] => (known ??= textFiles(source));
  return {
    name: 'lampyris-texts-in-bundles',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith(textsPrefix) ? `\0${id}` : undefined),
    load(id) {
      if (id.endsWith('/console/src/locales/text-files.ts')) return loaderModule(files());
      if (!id.startsWith(`\0${textsPrefix}`)) return undefined;
      const name = id.slice(textsPrefix.length + 1);
      return bundleModule(files().filter(({ bundle }) => bundle === name));
    },
  };
}
