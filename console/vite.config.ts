import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { antdByModule, antdWithoutUnused } from './bundle/antd.ts';
import { contractWithoutSchemas } from './bundle/contract.ts';
import { groups } from './bundle/groups.ts';
import { textsInBundles } from './bundle/texts.ts';

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
 * `npm run build` writes console/dist: index.html (the console), sign-in.html (the sign-in page), assets/ with hashed
 * names.
 */
export default defineConfig({
  root: here('.'),
  plugins: [
    contractWithoutSchemas(here('../contract')),
    antdByModule(here('../node_modules')),
    antdWithoutUnused(),
    textsInBundles(here('./src')),
    react(),
    pages(),
  ],
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
      // antd's own building blocks say nothing about effects of their modules, and have none.
      treeshake: { moduleSideEffects: [{ test: /\/node_modules\/@rc-component\/.*\.js$/, sideEffects: false }] },
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
