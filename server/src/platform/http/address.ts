import { isIPv4, isIPv6 } from 'node:net';

/** An address as people write it: IPv4 also when it came in over an IPv6 socket. */
export function plainAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? address;
}

/** What limits and locks count as one place: an IPv4 address, or the /64 network of an IPv6 one (specified 1.6). */
export function addressKey(address: string): string {
  const plain = plainAddress(address);
  if (isIPv4(plain) || !isIPv6(plain)) return plain.slice(0, 64);
  const [head = '', tail] = (plain.split('%')[0] ?? '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
