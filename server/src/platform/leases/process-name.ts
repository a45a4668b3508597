import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** What this process calls itself before others: no other one, here or on another machine, has the same name. */
export const processName = `${hostname().slice(0, 60)}/${process.pid}/${randomBytes(4).toString('hex')}`;
