import {
  cancelException,
  createException,
  decideException,
  getException,
  listExceptions,
  previewException,
} from '../../../../contract/light/exceptions.ts';
import { bind, type Binding } from '../../platform/http/index.ts';
import { createExceptionControl } from './control.ts';
import { decisionProblems } from './exceptions.rules.ts';
import { createExceptionMaking, type ExceptionParts } from './making.service.ts';
import { createExceptionReading } from './reading.service.ts';

export function exceptionsRoutes(parts: ExceptionParts): Binding[] {
  const making = createExceptionMaking(parts);
  const control = createExceptionControl(parts);
  const reading = createExceptionReading(parts);
  return [
    bind(previewException, ({ body }, { caller }) => making.preview(caller, body), {
      rules: ({ body = {} }, { caller }) => making.problems(caller, body),
    }),
    bind(createException, ({ body }, ctx) => making.create(ctx, body), {
      rules: ({ body = {} }, { caller }) => making.problems(caller, body),
    }),
    bind(listExceptions, ({ query }, { caller }) => reading.list(caller, query)),
    bind(getException, ({ params, query }, { caller }) => reading.get(caller, params.id, query)),
    bind(decideException, ({ params, body }, ctx) => control.decide(ctx, params.id, body), {
      rules: ({ body = {} }) => decisionProblems(body),
    }),
    bind(cancelException, ({ params, body }, ctx) => control.cancel(ctx, params.id, body), { rules: 'none' }),
  ];
}
