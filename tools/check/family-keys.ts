import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { families } from '../../catalogue/families/index.ts';
import { exceptions } from './family-keys.exceptions.ts';

/**
 * Product code asks a family what it can (catalogue/capabilities.ts), not for its name. Outside the rule: tests and
 * their support (also the access matrix, which is one), which choose a family as an example; the demonstration
 * (`simulator/city`, `server/src/shell/demo`), which says what stands in one city; e2e, bench and tools, which drive
 * that city from outside.
 */
const product = ['protocols', 'contract', 'server', 'console', 'simulator'].map((folder) => `${folder}/**/*.{ts,tsx}`);
const outside =
  /\.(test|soak)\.tsx?$|\/(testing|dist|data)\/|^simulator\/city\/|^server\/src\/(access-matrix|shell\/demo)\//;

const keys: ReadonlySet<string> = new Set(families.map(({ key }) => key));
/** A key in quotes inside a longer text: the SQL of a template. */
const quoted = new RegExp(`'(${[...keys].join('|')})'`, 'g');

interface Found {
  readonly file: string;
  readonly line: number;
  readonly key: string;
}

/** Constants that the catalogue exports with a key as their value, or as a whole family: by name, their key. */
function constantsOf(root: string): ReadonlyMap<string, string> {
  const constants = new Map<string, string>();
  for (const file of globSync('catalogue/**/*.ts', { cwd: root })) {
    if (outside.test(file)) continue;
    const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    new Visitor({
      ExportNamedDeclaration({ declaration }) {
        if (declaration?.type !== 'VariableDeclaration') return;
        for (const { id, init } of declaration.declarations) {
          if (id.type !== 'Identifier' || !init) continue;
          if (init.type === 'Literal' && typeof init.value === 'string' && keys.has(init.value))
            constants.set(id.name, init.value);
          if (init.type === 'CallExpression' && file.startsWith('catalogue/families/'))
            constants.set(id.name, file.slice('catalogue/families/'.length, -'.ts'.length));
        }
      },
    }).visit(program);
  }
  return constants;
}

function keysIn(root: string, file: string, constants: ReadonlyMap<string, string>): Found[] {
  const text = readFileSync(join(root, file), 'utf8');
  // Most files name none: only the others are parsed.
  if (![...keys, ...constants.keys()].some((name) => text.includes(name))) return [];
  const found: Found[] = [];
  const add = (key: string, at: number) => found.push({ file, key, line: text.slice(0, at).split('\n').length });
  new Visitor({
    Literal({ value, start }) {
      if (typeof value !== 'string') return;
      if (keys.has(value)) add(value, start);
      else for (const [, key] of value.matchAll(quoted)) add(key ?? '', start);
    },
    TemplateElement({ value, start }) {
      const said = value.cooked ?? value.raw;
      if (keys.has(said)) add(said, start);
      for (const match of said.matchAll(quoted)) add(match[1] ?? '', start + match.index);
    },
    ImportSpecifier({ imported, start }) {
      const key = imported.type === 'Identifier' ? constants.get(imported.name) : undefined;
      if (key !== undefined) add(key, start);
    },
  }).visit(parseSync(file, text).program);
  return found;
}

/** Family keys in product code that no exception names, and exceptions that name nothing any more: one line each. */
export function familyKeys(root: string): string[] {
  const constants = constantsOf(root);
  const found = globSync(product, { cwd: root })
    .filter((file) => !outside.test(file))
    .flatMap((file) => keysIn(root, file, constants));
  const allowed = new Set(
    exceptions.flatMap((one) => one.files.flatMap((file) => one.keys.map((key) => `${file} ${key}`))),
  );
  const used = new Set(found.map(({ file, key }) => `${file} ${key}`));
  return [
    ...found
      .filter(({ file, key }) => !allowed.has(`${file} ${key}`))
      .map(
        ({ file, line, key }) =>
          `${file}:${line}: names the family ${key}: ask what it can (catalogue/capabilities.ts), or give a reason in tools/check/family-keys.exceptions.ts`,
      ),
    ...[...allowed]
      .filter((one) => !used.has(one))
      .map((one) => `tools/check/family-keys.exceptions.ts: ${one} does not occur any more`),
  ];
}
