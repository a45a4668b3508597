import { Type } from 'typebox';
import { Id, IdList, Page, Size, Timestamp, Version, listOf, route } from '../route.ts';

/**
 * Plain master data (work-area, road, equipment-group, channel, dictionary, dictionary-item): one set of routes for all
 * records of the catalogue.
 */

const RecordParams = Type.Object({ record: Type.String({ maxLength: 40 }) });
const RecordIdParams = Type.Object({ record: Type.String({ maxLength: 40 }), id: Id });
const actionOfRecord = (record: unknown, verb: 'create' | 'update' | 'delete'): string | undefined =>
  typeof record === 'string' && /^[a-z-]{1,40}$/.test(record) ? `${record}.${verb}` : undefined;
const fields = { additionalProperties: true, description: 'Fields of the record by wire name.' } as const;

export const RecordRow = Type.Object(
  {
    id: Type.Integer(),
    version: Type.Integer(),
    createTime: Timestamp,
    updateTime: Timestamp,
    /** Names of the rows that reference fields refer to, by field. */
    labels: Type.Record(Type.String(), Type.String()),
    /** Secret fields with a value; the value itself is never returned. */
    secrets: Type.Array(Type.String()),
  },
  { additionalProperties: true },
);

export const listRecords = route({
  method: 'GET',
  path: '/api/v1/records/:record',
  tag: 'records',
  access: ['record.query', 'device.query'],
  areaScoped: true,
  summary:
    'Master data, filtered and sorted; forms of devices choose from it. Filter fields by their wire names, several values comma-separated.',
  params: RecordParams,
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 100 })),
      /** Only these ids, comma-separated: to name what is selected. */
      ids: Type.Optional(IdList),
      page: Type.Optional(Page),
      size: Type.Optional(Size()),
      sort: Type.Optional(Type.String({ maxLength: 60 })),
    },
    { additionalProperties: true },
  ),
  reply: listOf(RecordRow),
});

export const getRecord = route({
  method: 'GET',
  path: '/api/v1/records/:record/:id',
  tag: 'records',
  access: 'record.query',
  areaScoped: true,
  summary: 'One record.',
  params: RecordIdParams,
  reply: RecordRow,
});

export const createRecord = route({
  method: 'POST',
  path: '/api/v1/records/:record',
  tag: 'records',
  dryRun: true,
  access: 'record.add',
  action: ({ params }) => actionOfRecord(params['record'], 'create'),
  areaScoped: true,
  status: 201,
  summary: 'Creates a record.',
  params: RecordParams,
  body: Type.Object({}, fields),
  form: { of: 'newRecord' },
  reply: RecordRow,
});

export const updateRecord = route({
  method: 'PUT',
  path: '/api/v1/records/:record/:id',
  tag: 'records',
  dryRun: true,
  access: 'record.edit',
  action: ({ params }) => actionOfRecord(params['record'], 'update'),
  areaScoped: true,
  refuses: ['areaDarkens'],
  summary:
    'Changes a record: absent fields stay, null empties. An outdated `version` is 409. Another time zone or other coordinates of a work area are weighed: where more lamps get darker than an account may darken alone, their number is needed.',
  params: RecordIdParams,
  body: Type.Object(
    {
      version: Type.Optional(Version),
      /** The number of lamps that the refusal `areaDarkens` contains. */
      confirmCount: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    },
    fields,
  ),
  form: { of: 'recordChanges' },
  /** `darkens`: lamps that get darker; absent: the change moves no night. */
  reply: Type.Interface([RecordRow], { darkens: Type.Optional(Type.Integer()) }, { additionalProperties: true }),
});

const Use = Type.Object({ what: Type.String(), name: Type.String(), count: Type.Integer() });

export const getRecordUses = route({
  method: 'GET',
  path: '/api/v1/records/:record/:id/uses',
  tag: 'records',
  access: 'record.query',
  areaScoped: true,
  summary: 'What blocks the deletion of a record.',
  params: RecordIdParams,
  reply: Type.Object({ blocking: Type.Array(Use) }),
});

export const deleteRecord = route({
  method: 'DELETE',
  path: '/api/v1/records/:record/:id',
  tag: 'records',
  dryRun: true,
  access: 'record.del',
  action: ({ params }) => actionOfRecord(params['record'], 'delete'),
  areaScoped: true,
  status: 204,
  summary: 'Deletes a record; refused while anything depends on it.',
  params: RecordIdParams,
  reply: Type.Null(),
  replyKind: 'empty',
});
