import type { RouteShape } from '../../../../contract/route.ts';

/** Ids under the names they have in the log: a line about a device, command or task is found by them. */
export type NamedIds = Readonly<Record<string, number>>;

/**
 * What an id in an address is the id of, by the part of the address before it: lamps and poles are devices, and a pace
 * is a gateway's.
 */
const nameBySegment: Readonly<Record<string, string>> = {
  devices: 'deviceId',
  lamps: 'deviceId',
  poles: 'deviceId',
  'command-paces': 'deviceId',
  commands: 'commandId',
  tasks: 'taskId',
  imports: 'importId',
  batches: 'batchId',
  newcomers: 'newcomerId',
  attachments: 'attachmentId',
};
/** What says of itself what it is the id of, in a query, a body or an answer. */
const ownNames = ['deviceId', 'commandId', 'taskId', 'importId', 'batchId', 'newcomerId'] as const;

/** The kind of thing that `:id` in an address stands for. */
const kindOf = (path: string): string | undefined => nameBySegment[/\/([^/]+)\/:id(?=\/|$)/.exec(path)?.[1] ?? ''];

/** Which things a request is about, as far as its address, query and body name single ones. */
export function idsAsked(
  { path }: Pick<RouteShape, 'path'>,
  { params, query, body }: { params?: unknown; query?: unknown; body?: unknown },
): NamedIds {
  return { ...ownIn(query), ...ownIn(body), ...under(kindOf(path), idIn(params, 'id')) };
}

/** Which thing an answer tells of: one that was just made, or a task that was begun. */
export function idsAnswered(
  { path, status }: Pick<RouteShape, 'path' | 'status'>,
  asked: NamedIds,
  answer: unknown,
): NamedIds {
  const own = ownIn(answer);
  const made = status === 201 ? idIn(answer, 'id') : undefined;
  const collection = nameBySegment[path.split('/').at(-1) ?? ''];
  if (made === undefined || collection !== undefined) return { ...own, ...under(collection, made) };
  // `/commands/17/retry` made another one of its kind: found by its own id, and from which.
  const kind = kindOf(path);
  return kind === undefined ? own : { ...own, ...under('fromId', asked[kind]), ...under(kind, made) };
}

const ownIn = (from: unknown): NamedIds =>
  Object.assign({}, ...ownNames.map((name) => under(name, idIn(from, name)))) as NamedIds;
const under = (name: string | undefined, id: number | undefined): NamedIds =>
  name === undefined || id === undefined ? {} : { [name]: id };

function idIn(from: unknown, name: string): number | undefined {
  const value =
    typeof from === 'object' && from !== null ? (from as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
