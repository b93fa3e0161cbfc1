import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/**
 * IPv4 addresses that are not ordinary hosts of the Internet:
 * https://www.iana.org/assignments/iana-ipv4-special-registry and multicast (RFC 5771).
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/**
 * Everything that IANA has assigned as global unicast (RFC 4291). Loopback, mapped IPv4, NAT64 and the like
 * are outside.
 */
const GLOBAL_IPV6 = '2000::/3';

/** The exceptions within: https://www.iana.org/assignments/iana-ipv6-special-registry. */
const SPECIAL_IPV6 = [
  // IETF protocol assignments: Teredo, benchmarking, ORCHID, ...
  '2001::/23',
  '2001:db8::/32',
  // 6to4 leads to any IPv4 address, including private ones.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
];

/**
 * Returns a test for addresses that outbound requests may reach: ordinary hosts of the Internet, and those
 * that the operator allows.
 * @param allowed IP addresses and CIDR ranges
 * @returns a test of an IP in text form; false for any other text
 */
export function addressPermits(allowed: readonly string[]): (address: string) => boolean {
  const ranges = allowed.map(rangeOf);
  return (text) => {
    if (!ipaddr.isValid(text)) return false;
    const address = ipaddr.parse(text);
    const plain = asIpv4(address) ?? address;
    return isGlobal(address) || ranges.some((range) => within(plain, range));
  };
}

const special4 = SPECIAL_IPV4.map((range) => ipaddr.parseCIDR(range));
const global6 = ipaddr.parseCIDR(GLOBAL_IPV6);
const special6 = SPECIAL_IPV6.map((range) => ipaddr.parseCIDR(range));

function isGlobal(address: Address): boolean {
  if (address.kind() === 'ipv4') return !special4.some((range) => within(address, range));
  return within(address, global6) && !special6.some((range) => within(address, range));
}

const within = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** Returns the IPv4 address that an IPv4-mapped IPv6 address reaches. */
function asIpv4(address: Address): Address | undefined {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()
    ? address.toIPv4Address()
    : undefined;
}

function rangeOf(entry: string): Range {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry);
  const address = ipaddr.parse(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
