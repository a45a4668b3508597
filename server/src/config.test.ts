import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'lampyris-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (environment: Record<string, string>, demonstration = false) =>
  readConfig({ DATA_DIR: folder, ...environment }, { demonstration });

test('defaults', () => {
  expect(read({})).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDir: folder,
    baseDir: folder,
    databaseUrl: null,
    mqttUrl: null,
    ingestSlots: 1,
    leaseSeconds: 10,
    mqttHost: '127.0.0.1',
    mqttPort: 1884,
    mqttTlsPort: null,
    filesFolder: join(folder, 'files'),
    secretKeyFile: join(folder, 'secret.key'),
    adminPassword: null,
    demo: false,
    demoLamps: 3000,
    captcha: true,
    hideUnknownUsers: false,
    trustedProxies: [],
    tls: null,
    allowedOrigins: [],
    morningReport: 600,
    metricsPort: null,
    mapsFromThisMachine: false,
    logLevel: 'info',
  });
});

test('the demonstration has a folder of its own and its city on, unless told', () => {
  expect(read({}, true)).toMatchObject({
    dataDir: join(folder, 'demo'),
    secretKeyFile: join(folder, 'demo', 'secret.key'),
    demo: true,
  });
  expect(read({ DEMO: 'off' }, true)).toMatchObject({ demo: false });
});

test('blank values count as unset', () => {
  expect(read({ PORT: '', DATABASE_URL: '  ' })).toMatchObject({ port: 8080, databaseUrl: null });
});

test('lists', () => {
  expect(
    read({
      TRUSTED_PROXIES: '10.0.0.1, 192.168.0.0/16,::1',
      ALLOWED_ORIGINS: 'https://a.example,http://b.example:8080',
    }),
  ).toMatchObject({
    trustedProxies: ['10.0.0.1', '192.168.0.0/16', '::1'],
    allowedOrigins: ['https://a.example', 'http://b.example:8080'],
  });
});

describe('a wrong value is one line with the variable, the value and what is allowed', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT=70000 is wrong; allowed: a port from 0 (any free one) to 65535.'],
    [{ PORT: '80a' }, 'PORT=80a is wrong; allowed: a port from 0 (any free one) to 65535.'],
    [{ HOST: 'a b' }, 'HOST=a b is wrong; allowed: an address or a host name.'],
    [{ DEMO: 'yes' }, 'DEMO=yes is wrong; allowed: on or off.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL=loud is wrong; allowed: fatal, error, warn, info, debug, trace, silent.'],
    [{ MQTT_URL: 'http://x' }, 'MQTT_URL=http://x is wrong; allowed: mqtt://user:password@host:port or mqtts://….'],
    [{ FILES_URL: 'ftp://x' }, 'FILES_URL=ftp://x is wrong; allowed: file:///folder.'],
    [
      { TRUSTED_PROXIES: '10.0.0.0/33' },
      'TRUSTED_PROXIES=10.0.0.0/33 is wrong; allowed: addresses or networks (10.0.0.0/8), separated by commas.',
    ],
    [
      { ALLOWED_ORIGINS: 'https://a.example/path' },
      'ALLOWED_ORIGINS=https://a.example/path is wrong; allowed: origins such as https://example.org, separated by commas.',
    ],
    [
      { DATABASE_URL: 'mysql://me:geheim@host/x' },
      'DATABASE_URL=mysql://me:***@host/x is wrong; allowed: postgres://user:password@host:port/name.',
    ],
    [
      { TLS_CERT: '/nowhere', TLS_KEY: '/nowhere' },
      'TLS_CERT=/nowhere is wrong; allowed: a readable PEM file.\nTLS_KEY=/nowhere is wrong; allowed: a readable PEM file.',
    ],
    [{ MQTT_TLS_PORT: '8883' }, 'MQTT_TLS_PORT needs TLS_CERT and TLS_KEY.'],
    [{ PORT: 'x\u001b[31m' }, String.raw`PORT=x\u001b[31m is wrong; allowed: a port from 0 (any free one) to 65535.`],
  ])('%o', (environment, line) => {
    expect(() => read(environment as Record<string, string>)).toThrow(
      expect.objectContaining({ name: 'StartError', message: line }),
    );
  });

  test('all of them at once', () => {
    expect(() => read({ PORT: 'x', DEMO: 'y' })).toThrow(/^PORT=x .*\nDEMO=y /);
  });
});
