import { Type } from 'typebox';
import { Nullable, route } from '../route.ts';

/**
 * Readings over HTTP, for devices and gateways that do not speak MQTT. Not a call of people: a device signs each
 * request with its own credentials.
 */

export const mostIngestMessages = 1000;
/** Bytes of the body, unpacked. */
export const mostIngestBytes = 8 * 1024 * 1024;
export const mostIngestRequestsPerMinute = 120;

const IngestProblem = Type.Object({
  /** Place of the reading in its message, from 0; null: the whole message. */
  reading: Nullable(Type.Integer()),
  /**
   * Of messages: `tooLarge`, `notJson`, `tooDeep`, `forbiddenName`, `schema`, `badTime`, `unknownDevice`,
   * `foreignChild`, `noClock`, `storage`, `internal` (a mistake of the server, in its log). Of readings: `future`,
   * `tooOld`, `noValues` (not stored), `implausibleValue`, `unknownValue` (stored without these values).
   */
  reason: Type.String(),
  detail: Nullable(Type.String()),
});

export const ingestReadings = route({
  method: 'POST',
  path: '/api/v1/ingest/readings',
  refuses: ['deviceCredentials'],
  tag: 'ingestion',
  access: 'public',
  logged: false,
  ofDevices: true,
  encoding: 'bytes',
  // A whole network of devices may stand behind one address.
  limits: { bytes: mostIngestBytes, perMinute: 60_000 },
  takes: ['application/json', 'application/x-ndjson'],
  summary: `Readings of a device, or of a gateway and its children, as over MQTT (/api/asyncapi.json): one message, a JSON array of messages or a line each; a message of a child names its deviceId. Signed with the device's own credentials (HTTP Basic), at most ${mostIngestMessages} messages, 8 MiB unpacked (gzip, br and deflate are understood) and ${mostIngestRequestsPerMinute} requests a minute. A device, and each child of a gateway for itself, may say 20,000 readings at once and 10 a second for ever: a request that speaks of one above that is 429 with Retry-After and nothing of it is taken; without that child it is. Answered once everything is stored; sending again changes nothing.`,
  reply: Type.Object({
    stored: Type.Integer(),
    duplicates: Type.Integer(),
    /** Messages of which nothing could be stored. */
    refused: Type.Integer(),
    /** One of each message, in their order. `duplicate`: everything in it was there already. */
    messages: Type.Array(
      Type.Object({
        status: Type.Enum(['accepted', 'duplicate', 'refused'] as const),
        stored: Type.Integer(),
        duplicates: Type.Integer(),
        problems: Type.Array(IngestProblem),
      }),
    ),
  }),
});
