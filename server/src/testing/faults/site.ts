import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startMosquitto, type TestMosquitto } from './broker.ts';
import { startPostgres } from './postgres.ts';

/** A PostgreSQL that syncs to disk, a Mosquitto, and what several servers share. */
export interface Site {
  readonly env: Readonly<Record<string, string>> & { readonly DATABASE_URL: string };
  readonly brokerPort: number;
  readonly mosquitto: TestMosquitto;
}

/** Has a site while `work` is done. */
export async function onSite<T>(work: (site: Site) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lampyris-site-'));
  const postgres = await startPostgres(folder);
  const mosquitto = await startMosquitto();
  try {
    const env = {
      DATABASE_URL: postgres.url,
      MQTT_URL: mosquitto.url,
      SECRET_KEY_FILE: join(folder, 'secret.key'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
    };
    return await work({ env, brokerPort: mosquitto.port, mosquitto });
  } finally {
    await mosquitto.kill('SIGTERM');
    mosquitto.remove();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
