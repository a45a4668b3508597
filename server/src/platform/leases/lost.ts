/** Another process has the lease by now: nothing is written under it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor(name: string) {
    super(`the lease "${name}" is no longer ours`);
  }
}
