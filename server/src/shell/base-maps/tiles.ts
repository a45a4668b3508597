import type { Clock } from '../../platform/clock.ts';
import { refuse } from '../../platform/http/index.ts';
import { askTile, type Askable, type Asked, type MapProblem, type Tile } from './asking.ts';
import type { Archives } from './archives.ts';

/** Tiles that were just asked for, for everybody who looks at the same streets. */
const mostKept = 32 * 1024 * 1024;
const staleMs = 10 * 60_000;
/** A service that does not answer is left alone for so long; until then everybody hears the same at once. */
const restMs = 10_000;
const silent: ReadonlySet<MapProblem> = new Set(['timeout', 'dns', 'refused', 'tls', 'network']);

/** Hands out tiles: each is asked for once however many wait for it. */
export function createTiles({ archives, clock }: { readonly archives: Archives; readonly clock: Clock }) {
  const kept = new Map<string, { readonly asked: Asked; readonly until: number }>();
  const waiting = new Map<string, Promise<Asked>>();
  const resting = new Map<string, { readonly asked: Asked; readonly until: number }>();
  let bytes = 0;

  function keep(key: string, asked: Asked): void {
    kept.set(key, { asked, until: clock.now().getTime() + staleMs });
    bytes += asked.bytes?.length ?? 0;
    for (const [oldest, entry] of kept) {
      if (bytes <= mostKept) break;
      bytes -= entry.asked.bytes?.length ?? 0;
      kept.delete(oldest);
    }
  }

  async function ask(map: Askable, layer: number, tile: Tile, key: string, service: string): Promise<Asked> {
    const asked = await askTile(archives, map, layer, tile);
    if (asked.problem === null) keep(key, asked);
    if (asked.problem !== null && silent.has(asked.problem))
      resting.set(service, { asked, until: clock.now().getTime() + restMs });
    return asked;
  }

  return {
    /**
     * One tile; refuses with why there is none. `service` names the settings it is asked with: their id and version.
     */
    async get(map: Askable, service: string, layer: number, tile: Tile): Promise<Required<Asked>> {
      const now = clock.now().getTime();
      const rest = resting.get(service);
      if (rest && rest.until > now) throw refusalOf(rest.asked);
      const key = `${service}/${layer}/${tile.z}/${tile.x}/${tile.y}`;
      const known = kept.get(key);
      if (known && known.until > now) return known.asked;
      if (known) {
        bytes -= known.asked.bytes?.length ?? 0;
        kept.delete(key);
      }
      const asking = waiting.get(key) ?? ask(map, layer, tile, key, service).finally(() => waiting.delete(key));
      waiting.set(key, asking);
      const asked = await asking;
      if (asked.problem !== null) throw refusalOf(asked);
      return asked;
    },
  };
}

const refusalOf = ({ problem }: Asked) =>
  problem === 'notFound' || problem === 'zoom'
    ? refuse('notFound')
    : refuse(
        'mapServiceFailed',
        { reason: problem ?? '' },
        { body: { reason: problem }, ...(problem === 'timeout' ? { status: 504 } : {}) },
      );
