import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** A request would reach a forbidden address. */
export class ForbiddenAddress extends Error {
  constructor(host: string) {
    super(`${host} is at no address that may be reached`);
    this.name = 'ForbiddenAddress';
  }
}

export interface ConnectorOptions {
  permits: (address: string) => boolean;
  /** Milliseconds. */
  timeout: number;
  /** `dns.lookup` unless given. */
  lookup?: LookupFunction;
}

/**
 * Creates the connections of outbound requests. Forbidden addresses are dropped from DNS answers, so no
 * packet goes there. The address of the connected socket is checked again, whatever led to it.
 */
export function guardedConnector({ permits, timeout, lookup }: ConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout,
    lookup: guardedLookup(permits, lookup ?? systemLookup),
    // Session tickets of hosts that are contacted once are useless.
    maxCachedSessions: 0,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    // A host that is an IP address is not resolved.
    if (isIP(host) !== 0 && !permits(host)) return callback(new ForbiddenAddress(host), null);
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && permits(remoteAddress)) return callback(null, socket);
      socket.destroy();
      // A closed connection has no address any longer; a retry may work.
      const isGone = remoteAddress === undefined;
      callback(isGone ? new Error(`${host} broke the connection off`) : new ForbiddenAddress(host), null);
    });
  };
}

function guardedLookup(permits: (address: string) => boolean, lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, '');
      const found: LookupAddress[] = Array.isArray(answer) ? answer : [];
      const permitted = found.filter(({ address }) => permits(address));
      const [first] = permitted;
      if (!first) return callback(new ForbiddenAddress(hostname), '');
      if (options.all) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}
