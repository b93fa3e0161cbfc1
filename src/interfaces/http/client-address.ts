import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, SocketAddress } from 'node:net';
import { LRUCache } from 'lru-cache';

/** More hops than any real chain of proxies; entries further left are ignored. */
const MAX_HOPS = 16;
/** The address of a request whose socket is already closed. It is no client's address. */
const NO_ADDRESS = '0.0.0.0';

/**
 * Finds the client's address: the peer's, or behind trusted proxies the right-most address of X-Forwarded-For
 * that belongs to no trusted proxy. Only entries of trusted proxies count, so a client cannot choose its
 * address.
 * @param trustedProxies IP addresses and CIDR ranges, as in `TRUSTED_PROXY_IP`
 * @returns a function that gives an IP in canonical text, IPv4 also for IPv4-mapped IPv6
 */
export function clientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  const isTrusted = addressMatcher(trustedProxies);
  return (req) => {
    const peer = canonicalAddress(req.socket.remoteAddress ?? '') ?? NO_ADDRESS;
    const forwarded = req.headers['x-forwarded-for'];
    if (forwarded === undefined || !isTrusted(peer)) return peer;
    return firstUntrustedAddress(peer, Array.isArray(forwarded) ? forwarded.join(',') : forwarded, isTrusted);
  };
}

/**
 * Returns a test whether an IP is one of these addresses or in one of these CIDR ranges. @throws Error for an
 * invalid entry
 */
export function addressMatcher(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  // A server behind proxies has few peers, and a lookup in the list allocates two objects.
  const known = new LRUCache<string, boolean>({ max: 1_000 });
  return (address) => {
    const cached = known.get(address);
    if (cached !== undefined) return cached;
    const matches = isIP(address) !== 0 && list.check(address, familyOf(address));
    known.set(address, matches);
    return matches;
  };
}

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

/**
 * Returns an IP in its canonical spelling, without zone; IPv4-mapped IPv6 becomes IPv4. Undefined for other
 * text.
 */
export function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version === 0) return undefined;
  // An IPv4 peer of an IPv6 socket has this form, in nearly every request.
  if (isMapped(text)) return text.slice(MAPPED.length);
  const [address = ''] = text.split('%');
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address;
  return isMapped(canonical) ? canonical.slice(MAPPED.length) : canonical;
}

/**
 * Returns the network that counts as one client: an IPv6 customer has at least a /64 (RFC 6177). `ip` is
 * canonical.
 */
export const networkOf = (ip: string): string => prefixOf(ip, 4);

/**
 * Returns the largest network of one customer: a /48 of IPv6 (RFC 6177), an address of IPv4. `ip` is
 * canonical.
 */
export const siteOf = (ip: string): string => prefixOf(ip, 3);

/** Returns the first groups of an IPv6 address, of 16 bits each; an IPv4 address unchanged. */
function prefixOf(ip: string, count: number): string {
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups.slice(0, count).join(':');
}

const MAPPED = '::ffff:';
const isMapped = (address: string): boolean =>
  address.startsWith(MAPPED) && isIP(address.slice(MAPPED.length)) === 4;

function firstUntrustedAddress(
  peer: string,
  header: string,
  isTrusted: (address: string) => boolean,
): string {
  let hop = peer;
  let end = header.length;
  for (let hops = 0; end >= 0 && hops < MAX_HOPS; hops += 1) {
    const comma = end === 0 ? -1 : header.lastIndexOf(',', end - 1);
    const entry = readEntry(header.slice(comma + 1, end));
    // The origin of entries left of a malformed one is unknown.
    if (entry === undefined) return hop;
    // Another machine cannot forward for our loopback: otherwise its users could pass for local ones.
    if (isLoopback(entry) && !isLoopback(hop)) return hop;
    if (!isTrusted(entry)) return entry;
    hop = entry;
    end = comma;
  }
  return hop;
}

/** Returns an entry without its port, which some proxies include: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function readEntry(text: string): string | undefined {
  const entry = text.trim();
  if (entry.length > 64) return undefined;
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/.exec(entry) ?? [];
  return canonicalAddress(bracketed ?? plain ?? entry);
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');
