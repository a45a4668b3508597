import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { route } from '../../../../contract/route.ts';
import { bind, refuse, type Binding } from '../../platform/http/index.ts';
import { openApiDocument } from './openapi.ts';

const version = (
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
const pages = [
  { path: '/api/docs', file: 'index.html', type: 'text/html; charset=utf-8' },
  { path: '/api/docs/page.js', file: 'page.js', type: 'text/javascript; charset=utf-8' },
  { path: '/api/docs/page.css', file: 'page.css', type: 'text/css; charset=utf-8' },
] as const;

/**
 * The description of all routes, itself included, and a page to browse it. Public in the demonstration, for signed-in
 * accounts otherwise. The page is an empty shell that reads the document with the session of this browser: whoever
 * opens it in a browser gets it, for an address carries no session, and is told there to sign in.
 */
export function apiDocsRoutes(bindings: readonly Binding[], { demo }: { demo: boolean }): Binding[] {
  const shapes = { openApi: openApiRoute(demo), pages: pages.map(pageRoute) };
  const document = openApiDocument(
    [...bindings, ...[shapes.openApi, ...shapes.pages].map((own) => ({ route: own, options: {} }))],
    version,
  );
  return [
    bind(shapes.openApi, () => document),
    ...pages.map(({ file, type }, index) => {
      const text = readFileSync(new URL(`page/${file}`, import.meta.url), 'utf8');
      return bind(shapes.pages[index] ?? pageRoute(pages[0]), (_input, ctx) => {
        if (!demo && file === 'index.html' && !ctx.caller && ctx.headers['sec-fetch-mode'] !== 'navigate')
          throw refuse('notSignedIn');
        ctx.setHeader('content-type', type);
        return text;
      });
    }),
  ];
}

const openApiRoute = (demo: boolean) =>
  route({
    method: 'GET',
    path: '/api/openapi.json',
    tag: 'description',
    access: demo ? 'public' : 'session',
    summary: 'This document: every route, OpenAPI 3.1.',
    reply: Type.Record(Type.String(), Type.Unknown()),
  });

const pageRoute = ({ path, file, type }: (typeof pages)[number]) =>
  route({
    method: 'GET',
    path,
    tag: 'description',
    access: 'public',
    ...(file === 'index.html' ? { refuses: ['notSignedIn'] } : {}),
    summary: `The page to browse the calls (${file}).`,
    reply: Type.String(),
    replyKind: 'text',
    sends: [type.split(';')[0] ?? type],
  });
