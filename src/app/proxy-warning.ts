import { isIP } from 'node:net';
import { addressPermits } from '#adapters/outbound-http/addresses.ts';
import type { Config } from '#config/config.ts';

/**
 * Returns a warning when clients may reach the server directly although it trusts all private networks by
 * default: a client in one of them, or behind a network address translation with a private address, could
 * choose its own address.
 */
export function warningOfProxies({ bind, trustsByDefault }: Config['http']): string | undefined {
  if (!trustsByDefault || !isPublic(bind)) return undefined;
  return (
    `BIND ${bind} can be reached from outside, and X-Forwarded-For of every private address is believed: ` +
    'set TRUSTED_PROXY_IP to the addresses of your reverse proxies'
  );
}

const isGlobal = addressPermits([]);

/** All addresses of the machine, or one of the Internet. A host name may be anything. */
function isPublic(bind: string): boolean {
  if (isIP(bind) === 0) return bind !== 'localhost';
  return bind === '0.0.0.0' || bind === '::' || isGlobal(bind);
}
