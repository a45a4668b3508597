import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { groups } from './bundle/groups.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * The development server answers as the product does: the sign-in paths are a page of their own, everything else the
 * console.
 */
function pages(): Plugin {
  return {
    name: 'lampyris-pages',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        if (/^\/(login|login-loading|update-password)\/?$/.test(path)) request.url = '/sign-in.html';
        next();
      });
    },
  };
}

/**
 * The console uses the contract's names, paths and types, never its schemas at run time (the server judges, and answers
 * with every field). So the contract's typebox becomes an object that says nothing: 26 KB gzipped less.
 */
function contractWithoutSchemas(): Plugin {
  const silent = '\0contract-without-schemas';
  return {
    name: 'lampyris-contract-without-schemas',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'typebox' && importer?.startsWith(here('../contract')) === true ? silent : undefined,
    load: (id) =>
      id === silent
        ? 'const nothing = new Proxy(() => nothing, { get: (_, key) => (typeof key === "symbol" ? undefined : nothing) });\nexport const Type = nothing;\n'
        : undefined,
  };
}

/**
 * Imports of `antd` become imports of the components' own modules: through antd's index every page would depend on all
 * of them, and the groups could not tell what a page needs.
 */
function antdByModule(): Plugin {
  const index = readFileSync(here('../node_modules/antd/es/index.js'), 'utf8');
  const modules = new Map(
    [...index.matchAll(/export \{ default as (\w+) \} from '\.\/([\w-]+)'/g)].map((m) => [m[1]!, m[2]!]),
  );
  return {
    name: 'lampyris-antd-by-module',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/console\/src\/.*\.tsx?$/, code: /from 'antd';/ },
      handler: (code) => ({
        code: code.replaceAll(/^import \{([^}]+)\} from 'antd';/gm, (whole, names: string) => {
          const values = names
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one !== '' && !one.startsWith('type '));
          const imports = values.map((one) => {
            const [name = '', local = name] = one.split(' as ');
            const module = modules.get(name);
            return module === undefined ? undefined : `import ${local} from 'antd/es/${module}';`;
          });
          const types = names
            .split(',')
            .map((one) => one.trim())
            .filter((one) => one.startsWith('type '));
          return imports.includes(undefined)
            ? whole
            : [
                ...imports,
                ...(types.length > 0
                  ? [`import type { ${types.map((one) => one.slice(5)).join(', ')} } from 'antd';`]
                  : []),
              ].join(' ');
        }),
        map: null,
      }),
    },
  };
}

/** antd's table brings a tree, radios and a menu for filters in its head, which no list of ours has. */
function tableWithoutFilters(): Plugin {
  const none = '\0table-without-filters';
  return {
    name: 'lampyris-table-without-filters',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './FilterDropdown' && importer?.endsWith('/antd/es/table/hooks/useFilter/index.js') === true
        ? none
        : undefined,
    load: (id) => (id === none ? 'export default () => null;\nexport const flattenKeys = () => [];\n' : undefined),
  };
}

/**
 * `npm run build` writes console/dist: index.html (the console), sign-in.html (the sign-in page), assets/ with hashed
 * names.
 */
export default defineConfig({
  root: here('.'),
  plugins: [contractWithoutSchemas(), antdByModule(), tableWithoutFilters(), react(), pages()],
  build: {
    outDir: here('./dist'),
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    // For the licence notices and the bill of materials (tools/build), which take it away again.
    license: { fileName: 'bundled.json' },
    // Inline pictures would need data: in places where the content policy does not allow it.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: {
        index: here('./index.html'),
        ...(existsSync(here('./sign-in.html')) ? { 'sign-in': here('./sign-in.html') } : {}),
      },
      output: { codeSplitting: { groups: groups(here('.')) } },
    },
  },
  server: {
    proxy: {
      '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', ws: true },
      '/tiles': { target: process.env.API_URL ?? 'http://127.0.0.1:8080' },
    },
  },
});
