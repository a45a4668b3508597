import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { exceptions } from './sql-places.exceptions.ts';

/**
 * SQL of the server stands in `*.store.ts`, and what stores share of conditions and orders in `*.query.ts`. Files with a
 * subject of their own in SQL are named in a list with their reason; routes and specified adapters never are. Outside
 * the rule: the platform, which is technology, and tests with their support.
 */
const outside = /\.(test|soak)\.ts$|\/testing\/|^server\/src\/(platform|access-matrix)\//;
const home = /\.(store|query)\.ts$/;
const never = /\.(routes|specified)\.ts$/;

const statements: ReadonlySet<string> = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom']);

/** The line of the first SQL of a file: the `sql` of Kysely, or a statement built by its methods. */
function firstSql(root: string, file: string): number | undefined {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes("from 'kysely'") && ![...statements].some((name) => text.includes(name))) return undefined;
  const found: number[] = [];
  new Visitor({
    ImportDeclaration({ source, specifiers, importKind, start }) {
      const named = specifiers.some(
        (one) =>
          one.type === 'ImportSpecifier' &&
          one.importKind !== 'type' &&
          one.imported.type === 'Identifier' &&
          one.imported.name === 'sql',
      );
      if (source.value === 'kysely' && importKind !== 'type' && named) found.push(start);
    },
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (statements.has(callee.property.name)) found.push(callee.property.start);
    },
  }).visit(parseSync(file, text).program);
  return found.length === 0 ? undefined : text.slice(0, Math.min(...found)).split('\n').length;
}

/** SQL outside its home that no exception names, and exceptions that hold none any more: one line each. */
export function sqlPlaces(root: string): string[] {
  const found = new Map(
    globSync('server/src/**/*.ts', { cwd: root })
      .filter((file) => !outside.test(file) && !home.test(file))
      .flatMap((file) => {
        const line = firstSql(root, file);
        return line === undefined ? [] : [[file, line] as const];
      }),
  );
  const allowed = new Set(exceptions.flatMap(({ files }) => files));
  return [
    ...[...found]
      .filter(([file]) => !allowed.has(file) || never.test(file))
      .map(
        ([file, line]) =>
          `${file}:${line}: SQL stands in *.store.ts or *.query.ts; a reason why it is here: tools/check/sql-places.exceptions.ts`,
      ),
    ...[...allowed]
      .filter((file) => !found.has(file))
      .map((file) => `tools/check/sql-places.exceptions.ts: ${file} holds no SQL any more`),
  ];
}
