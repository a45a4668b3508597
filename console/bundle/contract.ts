import { parseAst, type Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}
const isNode = (value: unknown): value is Node & Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';

/** Whether a call is one of typebox: `Type.Object(…)`, not `describe(Type.Object(…))`. */
function isSchema(node: Node & Record<string, unknown>): boolean {
  if (node.type !== 'CallExpression' || !isNode(node['callee'])) return false;
  const { callee } = node;
  return callee.type === 'MemberExpression' && isNode(callee['object']) && callee['object']['name'] === 'Type';
}

/** The outermost calls of typebox under a node, in the order of the text. */
function schemasIn(value: unknown): (Node & Record<string, unknown>)[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  if (!isNode(value)) return [];
  return isSchema(value) ? [value] : Object.values(value).flatMap(schemasIn);
}

/** A module of the contract with `Type` in the place of each schema; positions after a change in a line move. */
export function withoutSchemas(code: string): string {
  const found = schemasIn(parseAst(code, { lang: 'ts' }).body).toSorted((a, b) => b.start - a.start);
  return found.reduce((text, { start, end }) => `${text.slice(0, start)}Type${text.slice(end)}`, code);
}

/**
 * The console uses the contract's names, paths and types, never its schemas at run time (the server judges, and answers
 * with every field). So typebox becomes an object that says nothing, and the schemas go with the names that only they
 * use. `contract`: the folder.
 */
export function contractWithoutSchemas(contract: string): Plugin {
  const silent = '\0contract-without-schemas';
  return {
    name: 'lampyris-contract-without-schemas',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'typebox' && importer?.startsWith(contract) === true ? silent : undefined,
    load: (id) =>
      id === silent
        ? 'const nothing = new Proxy(() => nothing, { get: (_, key) => (typeof key === "symbol" ? undefined : nothing) });\nexport const Type = nothing;\n'
        : undefined,
    transform: {
      filter: { id: /\/contract\/.*\.ts$/, code: /from 'typebox'/ },
      handler: (code, id) =>
        id.startsWith(contract) ? { code: withoutSchemas(code), map: null, moduleType: 'ts' } : undefined,
    },
  };
}
