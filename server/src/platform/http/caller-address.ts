import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { plainAddress } from './address.ts';

/**
 * Who calls, where no framework says it: the address of the connection or, behind proxies that are trusted (addresses
 * or networks), the last one they name that is none of them. Names of proxy-addr (`loopback`, `linklocal`,
 * `uniquelocal`) are not taken.
 */
export function callerAddress(trusted: readonly string[]): (request: IncomingMessage) => string {
  const list = new BlockList();
  for (const one of trusted) {
    const [address = '', bits] = one.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(address) === 0) continue;
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return ({ socket, headers }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []]
      .flat()
      .join(',')
      .split(',')
      .map((one) => plainAddress(one.trim()))
      .filter((one) => one !== '');
    let address = plainAddress(socket.remoteAddress ?? '');
    while (forwarded.length > 0 && isTrusted(address)) address = forwarded.pop() ?? address;
    return address;
  };
}
