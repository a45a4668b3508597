import { Type, type Static, type TSchema } from 'typebox';
import { Nullable } from './route.ts';

/** What dry runs count. */
export const dryRunThings = [
  'addresses',
  'assignments',
  'batches',
  'commandTargets',
  'commands',
  'credentials',
  'deviceAccounts',
  'devices',
  'exceptionLamps',
  'exceptions',
  'holidays',
  'newcomers',
  'paces',
  'positions',
  'publicationLamps',
  'publications',
  'records',
  'roadRows',
  'schemes',
  'settings',
  'templates',
] as const;
export type DryRunThing = (typeof dryRunThings)[number];

/** Rows of one thing; one that is changed twice counts twice. */
const Rows = Type.Object({ added: Type.Integer(), changed: Type.Integer(), removed: Type.Integer() });

const Would = Type.Object({
  /** All rows of all things. */
  changed: Type.Integer(),
  /** Things that stay as they are are left out. */
  things: Type.Partial(
    Type.Object(Object.fromEntries(dryRunThings.map((thing) => [thing, Rows])) as Record<DryRunThing, typeof Rows>),
  ),
});
export type Would = Static<typeof Would>;

/** What every dry run answers, beside the answer of its call. */
export interface DryRunAnswer<Answer = unknown> {
  readonly dryRun: true;
  readonly status: number;
  readonly would: Would;
  readonly answer: Answer | null;
}

/** The answer of a call that was asked with `dryRun=1`; `answer` and `status` are those that it would give. */
export const dryRunOf = <T extends TSchema>(reply: T) =>
  Type.Object({ dryRun: Type.Literal(true), status: Type.Integer(), would: Would, answer: Nullable(reply) });

/** The query parameter; any other value than this is refused. */
export const DryRunQuery = Type.Object({ dryRun: Type.Optional(Type.Literal('1')) });
