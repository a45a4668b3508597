import { readdirSync } from 'node:fs';
import { relative, join, sep } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { withoutDocumentHeaders } from './security-headers.ts';

/** The pages of the sign-in entry, an HTML file of its own (stack: the 80 KB gate). */
const signInPages = new Set(['/login', '/login-loading', '/update-password']);

/**
 * Serves the built console: hashed files as immutable, packed ones (.br, .gz) where they exist, and for every other
 * page address the HTML that opens it. Throws if the folder does not exist.
 */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const known = new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Packed ones are answered under the name of what they are of.
      .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')}`),
  );
  await app.register(files, { root: folder, serve: false, preCompressed: true, cacheControl: false });
  app.get('/*', async (request, reply) => {
    const path = pathOf(request.url);
    if (path === undefined || path.startsWith('/api/') || path === '/api') return reply.callNotFound();
    if (known.has(path) && !path.endsWith('.html')) {
      // A worker takes its policy from its own answer, and a picture that is opened by itself is a document.
      if (/^\/assets\/(?!.*worker).*\.(js|css|woff2)$/.test(path)) withoutDocumentHeaders(reply);
      reply.header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache');
      return reply.sendFile(path.slice(1));
    }
    const page = signInPages.has(path.replace(/\/$/, '')) ? '/sign-in.html' : '/index.html';
    // What looks like a file and is none must not answer with a page: a browser would run HTML as a script.
    if (/\.\w{1,5}$/.test(path) || !known.has(page)) return reply.callNotFound();
    return reply.header('cache-control', 'no-cache').sendFile(page.slice(1));
  });
}

function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '/');
  } catch {
    return undefined;
  }
}
