import type { Config } from './config.ts';
import type { Installation } from './people/installation/index.ts';
import type { Log } from './platform/log.ts';

const beyondLoopback = (host: string) => !/^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);

/** What administrators are warned of in their header, by the console's text keys. */
export function headerWarnings(config: Config): string[] {
  return [
    ...(config.captcha ? [] : ['captchaOff']),
    ...(config.demo ? [beyondLoopback(config.host) ? 'demoInNetwork' : 'demo'] : []),
  ];
}

/** What an operator should hear at every start, one line each. */
export function warnings(config: Config): string[] {
  const found: string[] = [];
  if (beyondLoopback(config.host) && !config.tls)
    found.push(
      `HOST=${config.host} is beyond this machine and TLS_CERT is not set: sign-ins and readings travel unencrypted`,
    );
  if (!config.mqttUrl && beyondLoopback(config.mqttHost))
    found.push(
      `MQTT_HOST=${config.mqttHost} is beyond this machine: devices that use MQTT_PORT travel unencrypted; MQTT_TLS_PORT with TLS_CERT gives them a safe port`,
    );
  if (!config.captcha)
    found.push(
      'CAPTCHA=off: the sign-in asks no captcha; this is for automated tests and sites behind another gate only',
    );
  if (config.demo && beyondLoopback(config.host))
    found.push(
      'DEMO=on in a network: its lamps are simulated, and everybody who reaches this address sees the demonstration',
    );
  return found;
}

/**
 * Tells address, account and where the first password stands. The password itself is for a terminal, never for the log.
 */
export function announce(log: Log, address: string, { username, initial, file }: Installation): void {
  log.info(
    { address, account: username, ...(initial === 'file' ? { initialPasswordFile: file.path } : {}) },
    'Lampyris is ready',
  );
  if (!process.stdout.isTTY) return;
  const places = {
    file: `${file.read() ?? ''}   (kept in ${file.path} until it is changed)`,
    ADMIN_PASSWORD: 'the one of ADMIN_PASSWORD',
    elsewhere: 'in the file initial-password of the data folder where the program was first started',
  };
  const password = initial && places[initial];
  const lines = [
    '',
    '  Lampyris 萤火',
    `  Address   ${address}`,
    `  Account   ${username}`,
    ...(password ? [`  Password  ${password}`] : []),
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
