import { getTile } from '../../../contract/shell/base-maps.ts';
import type { ParamsOf } from '../../../contract/route.ts';
import { headersOf } from './call.ts';
import { addressOf } from './request.ts';
import { baseOf } from './services.ts';

/**
 * A tile's bytes, or why there are none: the server's word for it (contract: mapProblems), `network` when this server
 * itself does not answer.
 */
export type TileAnswer = { readonly bytes: ArrayBuffer } | { readonly problem: string };

/**
 * Fetches a tile of a base map. Unlike other calls many go at once and their failures are counted, not shown one by
 * one.
 */
export async function fetchTile(params: ParamsOf<typeof getTile>, signal?: AbortSignal): Promise<TileAnswer> {
  const address = addressOf(getTile, { params });
  try {
    const response = await fetch(baseOf(address) + address, { headers: headersOf({}), ...(signal ? { signal } : {}) });
    if (response.ok) return { bytes: await response.arrayBuffer() };
    if (response.status === 404) return { problem: 'notFound' };
    const body: unknown = await response.json().catch(() => undefined);
    const reason = typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
    return { problem: typeof reason === 'string' ? reason : 'network' };
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    return { problem: 'network' };
  }
}
