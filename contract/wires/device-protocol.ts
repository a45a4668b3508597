import { Type } from 'typebox';
import { route } from '../route.ts';

/** In the demonstration the document is public. */
export const getDeviceProtocol = route({
  method: 'GET',
  path: '/api/asyncapi.json',
  tag: 'description',
  access: 'session',
  summary: 'How devices talk to the server: AsyncAPI 3.',
  reply: Type.Record(Type.String(), Type.Unknown()),
});
