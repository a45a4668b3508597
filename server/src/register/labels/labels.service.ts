import { Worker } from 'node:worker_threads';
import { carriesOthers, namesIn } from '../../../../catalogue/index.ts';
import type { Db } from '../../platform/db/index.ts';
import { refuse, type RequestContext } from '../../platform/http/index.ts';
import type { DeviceScope } from '../devices/index.ts';
import type { Label, LabelOrder } from './label.ts';
import { findLabelled } from './labels.store.ts';

export interface LabelsParts {
  readonly db: Db;
  /** Whether the program itself speaks HTTPS, for who asks without saying from which page. */
  readonly secure: boolean;
  /** The file a thread runs: `server/src/label-worker.ts`. */
  readonly worker: URL;
}
export type Labels = ReturnType<typeof createLabels>;

/** What of a request is asked for. */
type Asker = Pick<RequestContext, 'language' | 'host' | 'headers'> & { readonly caller: DeviceScope };

/** Labels of poles and devices, to be stuck on them: scanned, they open the page. */
export function createLabels({ db, secure, worker }: LabelsParts) {
  return {
    async print(ctx: Asker, ids: readonly number[]): Promise<{ name: string; type: string; content: Buffer }> {
      const wanted = [...new Set(ids)];
      const rows = await findLabelled(db, wanted, ctx.caller);
      if (rows.length < wanted.length) throw refuse('notFound');
      if (rows.some(({ visible }) => !visible)) throw refuse('foreignWorkArea');
      const from = originOf(ctx, secure);
      const names = namesIn(ctx.language);
      const labels = rows.map(({ id, family, code, name, area }): Label => ({
        code,
        name: name ?? names.family(family),
        place: area,
        address: `${from}/${carriesOthers(family) ? 'pole' : 'device'}/${id}`,
      }));
      const [only] = rows.length === 1 ? rows : [];
      return {
        name: only ? `${only.code}.pdf` : `${labels.length} QR.pdf`,
        type: 'application/pdf',
        content: await drawn(worker, { title: `QR ${only?.code ?? labels.length}`, labels }),
      };
    },
  };
}

/**
 * Where the caller's browser has the product: the page it asks from, when that is of the host it asks; a proxy may
 * speak HTTPS for us.
 */
function originOf({ headers, host }: Asker, secure: boolean): string {
  const origin = headers.origin === undefined ? null : URL.parse(headers.origin);
  return origin?.host === host ? origin.origin : `${secure ? 'https' : 'http'}://${host}`;
}

/** Draws in a thread of its own, which ends with it. */
function drawn(file: URL, order: LabelOrder): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: order, execArgv: [], name: 'labels' });
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that draws labels ended without any')));
  });
}
