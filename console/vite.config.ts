import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
 * `npm run build` writes console/dist: index.html (the console), sign-in.html (the sign-in page), assets/ with hashed
 * names.
 */
export default defineConfig({
  root: here('.'),
  plugins: [contractWithoutSchemas(), react(), pages()],
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
    },
  },
  server: {
    proxy: {
      '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:8080', ws: true },
      '/tiles': { target: process.env.API_URL ?? 'http://127.0.0.1:8080' },
    },
  },
});
