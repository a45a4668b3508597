import type { Log } from '../log.ts';
import type { Limits } from './limits.ts';
import type { Authenticate, LinkEvent } from './visitors.ts';

export interface EmbeddedSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly tlsPort: number | null;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly authenticate: Authenticate;
  /** Called for every event of a connection; must return at once and never throw. */
  readonly witness?: (event: LinkEvent) => void;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
}
