import type { Problem } from '../../../../catalogue/fields/kind.ts';
import { familyOfTemplate, type TemplateFamily } from '../../../../catalogue/lighting/families.ts';
import { floorFindings } from '../../../../catalogue/lighting/floors.ts';
import type { PlanMode } from '../../../../catalogue/lighting/plan/programme.ts';
import type { SchemeContent, TemplateContent } from '../../../../catalogue/lighting/plan/scheme.ts';
import { isSchemeContent, schemeProblems, schemeShape } from '../../../../catalogue/lighting/plan/scheme-problems.ts';
import type { Shape } from '../../../../catalogue/lighting/plan/shape.ts';
import {
  isTemplateContent,
  templateProblems,
  templateShape,
} from '../../../../catalogue/lighting/plan/template-problems.ts';
import { schemeFormat } from '../../../../contract/light/schemes.ts';
import { templateFormat } from '../../../../contract/light/templates.ts';
import type { Permission } from '../../../../contract/permissions.ts';

/** Where a kind is kept: what the SQL needs. */
export interface Place {
  readonly tables: { readonly item: string; readonly versions: string; readonly drafts: string };
  /** `parent`: of versions and drafts; `followed`: of assignments and publications. */
  readonly columns: { readonly closedAt: string; readonly parent: string; readonly followed: string };
  /** Of rows of which this column is true nothing is said: they belong to something else. */
  readonly hidden?: string;
  /** The state of one that cannot be published any more. */
  readonly closed: string;
}

/**
 * What has drafts and immutable versions of a content. `ofRow` and `ofContent` are what its answers show besides the
 * members that all kinds have.
 */
export interface Kind<Content, Closed extends string, OfRow, OfContent> extends Place {
  /** Of the actions of the operation log. */
  readonly subject: 'scheme' | 'template';
  readonly closed: Closed;
  readonly format: string;
  readonly permission: Permission;
  readonly shape: Shape;
  readonly problems: (content: unknown) => Problem[];
  readonly isContent: (content: unknown) => content is Content;
  readonly ofRow: (row: { readonly mode: PlanMode | null }) => OfRow;
  readonly ofContent: (content: Content | null) => OfContent;
}

const findings = (content: SchemeContent | null) => ({ findings: content === null ? [] : floorFindings(content) });

export const schemeKind: Kind<
  SchemeContent,
  'withdrawn',
  { readonly mode: PlanMode | null },
  ReturnType<typeof findings>
> = {
  subject: 'scheme',
  tables: { item: 'scheme', versions: 'scheme_version', drafts: 'scheme_draft' },
  columns: { closedAt: 'withdrawn_at', parent: 'scheme_id', followed: 'scheme_version_id' },
  hidden: 'schedule',
  closed: 'withdrawn',
  format: schemeFormat,
  permission: 'plan.edit',
  shape: schemeShape,
  problems: schemeProblems,
  isContent: isSchemeContent,
  ofRow: ({ mode }) => ({ mode }),
  ofContent: findings,
};

export const templateKind: Kind<TemplateContent, 'retired', object, { readonly family: TemplateFamily }> = {
  subject: 'template',
  tables: { item: 'work_parameter_template', versions: 'template_version', drafts: 'template_draft' },
  columns: { closedAt: 'retired_at', parent: 'template_id', followed: 'template_version_id' },
  closed: 'retired',
  format: templateFormat,
  permission: 'plan.template',
  shape: templateShape,
  problems: templateProblems,
  isContent: isTemplateContent,
  ofRow: () => ({}),
  ofContent: (content) => ({ family: familyOfTemplate(content) }),
};
