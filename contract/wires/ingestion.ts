import { Type } from 'typebox';
import { Nullable, route } from '../route.ts';

/**
 * Readings over HTTP, for devices and gateways that do not speak MQTT. A device signs each request with its own
 * credentials; accounts do not call it.
 */

export const mostIngestMessages = 1000;
/** Limit of the body, unpacked, bytes. */
export const mostIngestBytes = 8 * 1024 * 1024;
export const mostIngestRequestsPerMinute = 120;

const IngestProblem = Type.Object({
  /** Index of the reading in its message, from 0; null: the whole message. */
  reading: Nullable(Type.Integer()),
  /**
   * Messages: `tooLarge`, `notJson`, `tooDeep`, `forbiddenName`, `schema`, `badTime`, `unknownDevice`, `foreignChild`,
   * `noClock`, `storage`, `internal` (an error of the server, in its log). Readings: `future`, `tooOld`, `noValues`
   * (not stored), `implausibleValue`, `unknownValue` (stored without these values).
   */
  reason: Type.String(),
  detail: Nullable(Type.String()),
});

export const ingestReadings = route({
  method: 'POST',
  path: '/api/v1/ingest/readings',
  refuses: ['deviceCredentials'],
  tag: 'ingestion',
  dryRun: 'is of devices',
  access: 'public',
  logged: false,
  ofDevices: true,
  encoding: 'bytes',
  // A whole network of devices may share one address.
  limits: { bytes: mostIngestBytes, perMinute: 60_000 },
  takes: ['application/json', 'application/x-ndjson'],
  summary: `Readings of a device, or of a gateway and its children, as over MQTT (/api/asyncapi.json): one message, a JSON array of messages or a line each; a message of a child names its deviceId. Signed with the device's own credentials (HTTP Basic), at most ${mostIngestMessages} messages, 8 MiB unpacked (gzip, br and deflate are understood) and ${mostIngestRequestsPerMinute} requests a minute. Each device, and each child of a gateway by itself, may send 20,000 readings at once and 10 a second continuously. A request with a device above that is 429 with Retry-After and nothing of it is taken; the same request without that child is. Answered once everything is stored; sending again changes nothing.`,
  reply: Type.Object({
    stored: Type.Integer(),
    duplicates: Type.Integer(),
    /** Messages without anything that could be stored. */
    refused: Type.Integer(),
    /** One entry for each message, in their order. `duplicate`: everything in it was stored before. */
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
