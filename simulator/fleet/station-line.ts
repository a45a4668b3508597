import type { Connection } from './connection.ts';
import type { Line } from './lamp-player.ts';

/** A line that players hold before its connection is open. */
export class StationLine implements Line {
  connection: Connection | null = null;
  get connected(): boolean {
    return this.connection?.connected ?? false;
  }
  publish: Line['publish'] = (out) => this.connection?.publish(out) ?? Promise.reject(new Error('not connected'));
  announce(): void {
    this.connection?.announce();
  }
  keepAlive(seconds: number): void {
    this.connection?.keepAlive(seconds);
  }
}
