import { createHash } from 'node:crypto';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { planLimits } from '../../../../catalogue/lighting/limits.ts';
import { canonicalJson } from '../../../../catalogue/lighting/plan/canonical.ts';
import { elsewhere, nullable, number, object, option, text } from '../../../../catalogue/lighting/plan/shape.ts';
import type { Kind } from './kinds.ts';

/** sha-256 of the canonical JSON, hex: the same for equal contents, whatever the order of their members. */
export const contentHashOf = (content: unknown): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');
/** What devices report of it. */
export const shortHash = (contentHash: string): string => contentHash.slice(0, 12);

/** A version as it travels: what the contract's `fileOf` declares. */
export interface VersionFile<Content> {
  readonly format: string;
  readonly code: string;
  readonly name: string;
  readonly number: number;
  readonly note: string | null;
  readonly contentHash: string;
  readonly content: Content;
}
type AnyKind<Content> = Kind<Content, string, unknown, unknown>;

const shapeOf = <Content>({ format, shape }: AnyKind<Content>) =>
  object({
    format: option([format]),
    code: text(planLimits.planCode),
    name: text(planLimits.planName),
    number: number({ min: 1, max: 2_147_483_647, step: 1 }),
    note: nullable(text(planLimits.versionNote)),
    contentHash: text({ min: 64, max: 64 }, '^[0-9a-f]{64}$'),
    // The kind checks it with its rules over several fields.
    content: elsewhere(shape.schema),
  });

/** The JSON Schema of files of a kind. */
export const fileSchema = <Content>(kind: AnyKind<Content>): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: kind.format,
  ...shapeOf(kind).schema,
});

/** Problems of a content below the path of the field that holds it. */
export const below = (path: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, field: problem.field === '' ? path : `${path}.${problem.field}` }));

/** Every problem of a file below `file`; a sound content must have the hash that the file names. */
export function fileProblems<Content>(kind: AnyKind<Content>, file: object): Problem[] {
  const problems: Problem[] = [];
  shapeOf(kind).check('', file, problems);
  const { content, contentHash }: { readonly content?: unknown; readonly contentHash?: unknown } = file;
  const ofContent = content === undefined ? [] : below('content', kind.problems(content));
  if (content !== undefined && ofContent.length === 0 && contentHashOf(content) !== contentHash)
    problems.push({ field: 'contentHash', rule: 'fileHash' });
  return below('file', [...problems, ...ofContent]);
}

export const isFile = <Content>(kind: AnyKind<Content>, file: object): file is VersionFile<Content> =>
  fileProblems(kind, file).length === 0;
