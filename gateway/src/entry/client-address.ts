import { BlockList, isIP, isIPv4 } from 'node:net';

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const plain = (address: string) => mapped.exec(address)?.[1] ?? address;
const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6');

export function createAddressBook(trustedProxies: readonly string[]) {
  const proxies = new BlockList();
  for (const range of trustedProxies) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    proxies.addSubnet(address, bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits), family);
  }
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, familyOf(address));

  /**
   * The client's address: the socket's, or behind trusted proxies the nearest in `X-Forwarded-For` that is none of them.
   * Whatever stands further left is the client's own claim.
   */
  return (socketAddress: string | undefined, forwardedFor: string | string[] | undefined): string => {
    const address = plain(socketAddress ?? '');
    if (trustedProxies.length === 0 || forwardedFor === undefined || !isProxy(address)) return address;
    let nearest = address;
    for (const hop of String(forwardedFor).split(',').reverse()) {
      const candidate = plain(hop.trim());
      if (isIP(candidate) === 0) break;
      nearest = candidate;
      if (!isProxy(candidate)) break;
    }
    return nearest;
  };
}
export type ClientAddress = ReturnType<typeof createAddressBook>;
