import { beginPreview } from '../../../../contract/people/accounts.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import type { Previews } from './previews.service.ts';

export const previewsRoutes = (previews: Previews): Binding[] => [
  bind(beginPreview, ({ params: { id } }, ctx) => previews.begin(ctx.caller, id, ctx)),
];
