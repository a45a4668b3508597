import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Address of the list of antd's components; relative to the console's folder. */
const indexOf = (modules: string): Map<string, string> => {
  const index = readFileSync(`${modules}/antd/es/index.js`, 'utf8');
  return new Map([...index.matchAll(/export \{ default as (\w+) \} from '\.\/([\w-]+)'/g)].map((m) => [m[1]!, m[2]!]));
};

/**
 * Imports of `antd` become imports of the components' own modules: through antd's index every page would depend on all
 * of them, and the groups could not tell what a page needs. `modules`: the folder node_modules.
 */
export function antdByModule(modules: string): Plugin {
  const known = indexOf(modules);
  return {
    name: 'lampyris-antd-by-module',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/console\/src\/.*\.tsx?$/, code: /from 'antd';/ },
      handler: (code) => ({
        code: code.replaceAll(/^import \{([^}]+)\} from 'antd';/gm, (whole, names: string) => {
          const parts = names
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== '');
          const types = parts.filter((one) => one.startsWith('type '));
          const imports = parts
            .filter((one) => !one.startsWith('type '))
            .map((one) => {
              const [name = '', local = name] = one.split(' as ');
              const module = known.get(name);
              return module === undefined ? undefined : `import ${local} from 'antd/es/${module}';`;
            });
          if (imports.includes(undefined)) return whole;
          if (types.length > 0)
            imports.push(`import type { ${types.map((one) => one.slice(5)).join(', ')} } from 'antd';`);
          return imports.join(' ');
        }),
        map: null,
      }),
    },
  };
}

/** An import of an antd module that this console never draws, and what stands in its place. */
interface Left {
  readonly from: string;
  readonly source: string;
  readonly instead: string;
}
const nothing = 'export default () => null;\n';
const unused: readonly Left[] = [
  // A tree, radios and a menu for filters in the head of a table: no list has them.
  {
    from: '/antd/es/table/hooks/useFilter/index.js',
    source: './FilterDropdown',
    instead: `${nothing}export const flattenKeys = () => [];\n`,
  },
  // Rows are chosen by checkboxes, without a menu of choices.
  { from: '/antd/es/table/hooks/useSelection.js', source: '../../radio', instead: nothing },
  { from: '/antd/es/table/hooks/useSelection.js', source: '../../dropdown', instead: nothing },
  // One moving tooltip for all: it brings the code of popups into the first opening.
  {
    from: '/antd/es/config-provider/index.js',
    source: '../tooltip/UniqueProvider',
    instead: 'export default ({ children }) => children;\n',
  },
];

/** How a module is named that stands for a part of antd. */
export const unusedPrefix = '\0antd-unused:';

/** Parts of antd's components that no screen draws stay out of the build. */
export function antdWithoutUnused(): Plugin {
  return {
    name: 'lampyris-antd-without-unused',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const found = unused.findIndex((one) => one.source === source && importer?.endsWith(one.from) === true);
      return found === -1 ? undefined : unusedPrefix + found;
    },
    load: (id) => (id.startsWith(unusedPrefix) ? unused[Number(id.slice(unusedPrefix.length))]?.instead : undefined),
  };
}
