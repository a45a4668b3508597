import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../catalogue/lighting/plan/canonical.ts';
import type { SchemeContent, TemplateContent } from '../../../catalogue/lighting/plan/scheme.ts';

/** A version as a file. */
export const fileOfVersion = (format: string, code: string, content: SchemeContent | TemplateContent) => ({
  format,
  code,
  name: '导入的方案',
  number: 1,
  note: null,
  contentHash: createHash('sha256').update(canonicalJson(content)).digest('hex'),
  content,
});
