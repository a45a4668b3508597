import { schemeFormat } from '../../../../contract/light/schemes.ts';
import { templateFormat } from '../../../../contract/light/templates.ts';
import { schemeProblems } from '../../../../catalogue/lighting/plan/scheme-problems.ts';
import { templateProblems } from '../../../../catalogue/lighting/plan/template-problems.ts';
import type { Problem } from '../../../../catalogue/fields/kind.ts';
import type { Permission } from '../../../../contract/permissions.ts';

/** What has drafts and immutable versions: where it is kept, and by what rules. */
export interface Kind {
  /** Of the actions of the operation log. */
  readonly subject: 'scheme' | 'template';
  readonly tables: { readonly item: string; readonly versions: string; readonly drafts: string };
  /** `parent`: of versions and drafts; `followed`: of assignments and publications. */
  readonly columns: { readonly closedAt: string; readonly parent: string; readonly followed: string };
  /** The state of one that cannot be published any more. */
  readonly closed: 'withdrawn' | 'retired';
  readonly format: string;
  readonly permission: Permission;
  readonly problems: (content: unknown) => Problem[];
}

export const schemeKind = {
  subject: 'scheme',
  tables: { item: 'scheme', versions: 'scheme_version', drafts: 'scheme_draft' },
  columns: { closedAt: 'withdrawn_at', parent: 'scheme_id', followed: 'scheme_version_id' },
  closed: 'withdrawn',
  format: schemeFormat,
  permission: 'plan.edit',
  problems: schemeProblems,
} as const satisfies Kind;

export const templateKind = {
  subject: 'template',
  tables: { item: 'work_parameter_template', versions: 'template_version', drafts: 'template_draft' },
  columns: { closedAt: 'retired_at', parent: 'template_id', followed: 'template_version_id' },
  closed: 'retired',
  format: templateFormat,
  permission: 'plan.template',
  problems: templateProblems,
} as const satisfies Kind;
