import { BlockList, isIP } from 'node:net';

const list = (ranges: readonly (readonly [address: string, bits: number])[]): BlockList => {
  const found = new BlockList();
  for (const [address, bits] of ranges) found.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return found;
};

/**
 * How far a question may go: `public` addresses only, a site's `own` networks too, or this `machine` itself as well.
 */
export type Reach = 'public' | 'own' | 'machine';

const thisMachine = list([
  ['127.0.0.0', 8],
  ['::1', 128],
]);
const ownNetworks = list([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['fc00::', 7],
]);
/**
 * Never asked: unspecified, link-local (where clouds tell machines their secrets), multicast, reserved, and addresses
 * that hide another one.
 */
const never = list([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['ff00::', 8],
]);

/** Whether an IP address may be asked; anything that is none may not. */
export function mayAsk(address: string, reach: Reach): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address.split('%')[0] ?? '';
  const family = isIP(plain);
  if (family === 0 || /^::ffff:/i.test(plain)) return false;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  if (thisMachine.check(plain, type)) return reach === 'machine';
  return !never.check(plain, type) && (reach !== 'public' || !ownNetworks.check(plain, type));
}
