import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { checkoutFolder, systemFolder, unreachablePart } from './platform/db/binaries.ts';
import { logLevels, type LogLevel } from './platform/log.ts';
import { StartError, reasonOf } from './platform/start-error.ts';

/** Everything the program can be told from outside; read once, at the start. */
export interface Config {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** DATA_DIR itself: `dataDir` is this folder or, for the demonstration, one in it. */
  readonly baseDir: string;
  /** null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** null: the embedded broker. */
  readonly mqttUrl: string | null;
  /** How many processes share what devices say on the site's broker; the same in all of them. */
  readonly ingestSlots: number;
  /** How long a process that was killed keeps what only one may do. */
  readonly leaseSeconds: number;
  readonly mqttHost: string;
  readonly mqttPort: number;
  readonly mqttTlsPort: number | null;
  readonly filesFolder: string;
  readonly secretKeyFile: string;
  readonly adminPassword: string | null;
  readonly demo: boolean;
  /** How many lamps the demo city has when it is first made. */
  readonly demoLamps: number;
  readonly captcha: boolean;
  readonly hideUnknownUsers: boolean;
  readonly trustedProxies: readonly string[];
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly allowedOrigins: readonly string[];
  /** Minutes of the day at which each area is told how its night was. */
  readonly morningReport: number;
  readonly metricsPort: number | null;
  /** Base maps that are ticked as standing in the own network may stand on this machine itself. */
  readonly mapsFromThisMachine: boolean;
  readonly logLevel: LogLevel;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** What the command line decides: `npm start` is the demonstration, with a data folder of its own. */
export interface Mode {
  readonly demonstration: boolean;
}

/** Reads every setting; throws one StartError whose message has one line for each wrong value. */
export function readConfig(environment: Environment, mode: Mode): Config {
  const from = new Settings(environment);
  const base = from.read('DATA_DIR', defaultDataDir, 'a folder', (text) => resolve(text));
  const dataDir = mode.demonstration ? join(base, 'demo') : base;
  const mqttTlsPort = from.read('MQTT_TLS_PORT', () => null, 'a port from 0 to 65535', port);
  const config: Config = {
    host: from.read('HOST', () => '127.0.0.1', 'an address or a host name', hostName),
    port: from.read('PORT', () => 8080, 'a port from 0 (any free one) to 65535', port),
    dataDir,
    baseDir: base,
    databaseUrl: from.read(
      'DATABASE_URL',
      () => null,
      'postgres://user:password@host:port/name',
      address('postgres:', 'postgresql:'),
      maskPassword,
    ),
    mqttUrl: from.read(
      'MQTT_URL',
      () => null,
      'mqtt://user:password@host:port or mqtts://…',
      address('mqtt:', 'mqtts:'),
      maskPassword,
    ),
    ingestSlots: from.read('INGEST_SLOTS', () => 1, 'a whole number from 1 to 16', wholeNumber(1, 16)),
    leaseSeconds: from.read('LEASE_SECONDS', () => 10, 'a whole number from 2 to 120', wholeNumber(2, 120)),
    mqttHost: from.read('MQTT_HOST', () => '127.0.0.1', 'an address or a host name', hostName),
    mqttPort: from.read('MQTT_PORT', () => 1884, 'a port from 0 (any free one) to 65535', port),
    mqttTlsPort,
    filesFolder: from.read('FILES_URL', () => join(dataDir, 'files'), 'file:///folder', fileFolder),
    secretKeyFile: from.read(
      'SECRET_KEY_FILE',
      () => join(dataDir, 'secret.key'),
      'a file',
      (text) => resolve(text),
    ),
    adminPassword: from.read(
      'ADMIN_PASSWORD',
      () => null,
      'a password',
      (text) => text,
      () => '***',
    ),
    demo: from.read('DEMO', () => mode.demonstration, 'on or off', onOff),
    demoLamps: from.read('DEMO_LAMPS', () => 3000, 'a whole number from 100 to 100000', wholeNumber(100, 100_000)),
    captcha: from.read('CAPTCHA', () => true, 'on or off', onOff),
    hideUnknownUsers: from.read('LOGIN_HIDE_UNKNOWN_USERS', () => false, 'on or off', onOff),
    trustedProxies: from.read(
      'TRUSTED_PROXIES',
      () => [],
      'addresses or networks (10.0.0.0/8), separated by commas',
      listOf(network),
    ),
    tls: readTls(from, mqttTlsPort !== null),
    allowedOrigins: from.read(
      'ALLOWED_ORIGINS',
      () => [],
      'origins such as https://example.org, separated by commas',
      listOf(origin),
    ),
    morningReport: from.read('MORNING_REPORT', () => 600, 'a time from 05:00 to 11:59', morningTime),
    metricsPort: from.read('METRICS_PORT', () => null, 'a port from 0 to 65535', port),
    mapsFromThisMachine: from.read('MAPS_FROM_THIS_MACHINE', () => false, 'on or off', onOff),
    logLevel: from.read(
      'LOG_LEVEL',
      () => 'info' as const,
      logLevels.join(', '),
      (text) => logLevels.find((level) => level === text),
    ),
  };
  from.finish();
  return config;
}

/** Collects what is wrong, so that an operator hears of all of it at once. */
class Settings {
  readonly #environment: Environment;
  readonly #wrong: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /**
   * The parsed value of a variable, `fallback` when it is unset or blank. `parse` answers undefined for a value that is
   * not allowed.
   */
  read<T>(
    name: string,
    fallback: () => T,
    allowed: string,
    parse: (text: string) => T | undefined,
    show: (text: string) => string = (text) => text,
  ): T {
    const text = this.#environment[name]?.trim();
    if (!text) return fallback();
    const value = parse(text);
    if (value !== undefined) return value;
    this.refuse(`${name}=${oneLine(show(text))} is wrong; allowed: ${allowed}.`);
    return fallback();
  }

  refuse(line: string): void {
    this.#wrong.push(line);
  }

  finish(): void {
    if (this.#wrong.length > 0) throw new StartError(this.#wrong.join('\n'));
  }
}

const oneLine = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text).slice(1, -1);

/**
 * ./data of the checkout; when root runs in a checkout its database user cannot reach, a folder of its own elsewhere.
 */
function defaultDataDir(): string {
  const plain = join(checkoutFolder, 'data');
  if (process.getuid?.() !== 0 || unreachablePart(checkoutFolder) === undefined) return plain;
  return join(systemFolder, `data-${createHash('sha256').update(checkoutFolder).digest('hex').slice(0, 8)}`);
}

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined);
}

/** Minutes of the day. */
function morningTime(text: string): number | undefined {
  const [, hours, minutes] = /^(0[5-9]|1[01]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

const port = wholeNumber(0, 65_535);

function onOff(text: string): boolean | undefined {
  return { on: true, off: false }[text.toLowerCase()];
}

function hostName(text: string): string | undefined {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) > 0 || /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(bare)
    ? bare
    : undefined;
}

function network(text: string): string | undefined {
  const [ip = '', bits, ...rest] = text.split('/');
  const width = isIP(ip) === 6 ? 128 : 32;
  return isIP(ip) > 0 && rest.length === 0 && (bits === undefined || wholeNumber(0, width)(bits) !== undefined)
    ? text
    : undefined;
}

function origin(text: string): string | undefined {
  return URL.canParse(text) && new URL(text).origin === text.replace(/\/$/, '') && /^https?:/.test(text)
    ? new URL(text).origin
    : undefined;
}

function listOf(parse: (text: string) => string | undefined): (text: string) => string[] | undefined {
  return (text) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parse);
    return parts.every((part) => part !== undefined) ? parts : undefined;
  };
}

function address(...protocols: string[]): (text: string) => string | undefined {
  return (text) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) && text.includes('://') ? text : undefined;
}

function fileFolder(text: string): string | undefined {
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function maskPassword(text: string): string {
  return text.replace(/(:\/\/[^:@/]*:)[^@]*@/, '$1***@');
}

function readTls(from: Settings, needed: boolean): Config['tls'] {
  const file = (name: string) => from.read(name, () => null, 'a readable PEM file', readFile);
  const cert = file('TLS_CERT');
  const key = file('TLS_KEY');
  if (cert && key) {
    try {
      createSecureContext({ cert, key });
      return { cert, key };
    } catch (thrown) {
      from.refuse(`TLS_CERT and TLS_KEY do not go together: ${reasonOf(thrown)}.`);
    }
  } else if (cert || key) {
    from.refuse(`${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing: TLS_CERT and TLS_KEY are set together.`);
  } else if (needed) {
    from.refuse('MQTT_TLS_PORT needs TLS_CERT and TLS_KEY.');
  }
  return null;
}

function readFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
