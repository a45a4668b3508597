/**
 * What the server leaves for the simulator, in one file that only the simulator reads: where the broker is, which city
 * it is, and the credentials of every device that speaks for itself. Ids stand in the order of the city's lists.
 */
export interface Handover {
  readonly format: 1;
  /** Tells files of one seeding from those of another. */
  readonly token: string;
  /** mqtt://host:port, without credentials. */
  readonly broker: string;
  readonly seed: number;
  readonly lamps: number;
  readonly lampIds: readonly number[];
  readonly controllerIds: readonly number[];
  /** Of devices that are neither lamps nor controllers; 0: the register has none. Empty: a city of an earlier version. */
  readonly equipmentIds: readonly number[];
  readonly credentials: readonly Credential[];
}

export interface Credential {
  readonly deviceId: number;
  readonly code: string;
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
}

/** Reads the file's text; throws an Error with one line that says what is wrong. */
export function readHandover(text: string): Handover {
  const json: unknown = JSON.parse(text);
  if (!isRecord(json) || json['format'] !== 1) throw new Error('this is no handover file of format 1');
  const { broker, seed, lamps, lampIds, controllerIds, equipmentIds = [], credentials, token } = json;
  if (typeof broker !== 'string' || typeof token !== 'string') throw new Error('broker or token is missing');
  if (!isWhole(seed) || !isWhole(lamps)) throw new Error('seed or lamps is missing');
  if (!isIdList(lampIds) || lampIds.length !== lamps || !isIdList(controllerIds) || !isIdList(equipmentIds))
    throw new Error('the ids of the devices are not complete');
  if (!Array.isArray(credentials) || !credentials.every(isCredential))
    throw new Error('the credentials are not complete');
  return { format: 1, token, broker, seed, lamps, lampIds, controllerIds, equipmentIds, credentials };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isIdList = (value: unknown): value is number[] => Array.isArray(value) && value.every(isWhole);

function isCredential(value: unknown): value is Credential {
  return (
    isRecord(value) &&
    isWhole(value['deviceId']) &&
    ['code', 'clientId', 'username', 'password'].every((name) => typeof value[name] === 'string')
  );
}
