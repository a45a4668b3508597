import { getPublicationRoads } from '../../../../contract/light/publication-roads.ts';
import {
  cancelPublication,
  createPublication,
  decidePublication,
  getPublication,
  haltPublication,
  listPublications,
  previewPublication,
  resumePublication,
  revertPublication,
} from '../../../../contract/light/publications.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { createPublicationControl } from './control.ts';
import { decisionProblems } from './publications.rules.ts';
import { createPublishing, type PublishingParts } from './publishing.service.ts';
import { createPublicationReading } from './reading.service.ts';

export function publicationsRoutes(parts: PublishingParts): Binding[] {
  const publishing = createPublishing(parts);
  const control = createPublicationControl(parts);
  const reading = createPublicationReading(parts);
  return [
    bind(previewPublication, ({ body }, { caller }) => publishing.preview(caller, body), {
      rules: ({ body = {} }, { caller }) => publishing.problems(caller, body),
    }),
    bind(createPublication, ({ body }, ctx) => publishing.create(ctx, body), {
      rules: ({ body = {} }, { caller }) => publishing.problems(caller, body),
    }),
    bind(listPublications, ({ query }, ctx) => reading.list(ctx, query)),
    bind(getPublication, ({ params, query }, ctx) => reading.get(ctx, params.id, query)),
    bind(getPublicationRoads, ({ params }, { caller }) => reading.roads(caller, params.id)),
    bind(decidePublication, ({ params, body }, ctx) => control.decide(ctx, params.id, body), {
      rules: ({ body = {} }) => decisionProblems(body),
    }),
    bind(resumePublication, ({ params }, ctx) => control.resume(ctx, params.id), { rules: 'none' }),
    bind(haltPublication, ({ params, body }, ctx) => control.halt(ctx, params.id, body.reason), { rules: 'none' }),
    bind(revertPublication, ({ params, body }, ctx) => control.revert(ctx, params.id, body), { rules: 'none' }),
    bind(cancelPublication, ({ params }, ctx) => control.cancel(ctx, params.id), { rules: 'none' }),
  ];
}
