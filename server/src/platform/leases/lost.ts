/** Somebody else has the lease by now: what was about to be written under it is not. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor(name: string) {
    super(`the lease "${name}" is no longer ours`);
  }
}
