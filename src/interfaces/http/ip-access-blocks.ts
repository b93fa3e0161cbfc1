import type { IncomingMessage, RequestListener } from 'node:http';
import { forbidden } from '#kernel/errors.ts';
import type { Upgrades } from './listen.ts';
import { sendFailure } from './reply.ts';

/** The addresses without any access. */
export interface IpAccessBlocks {
  /** False without blocks: then the address is not needed. */
  readonly any: boolean;
  has(address: string): boolean;
}

/** Refuses every request from blocked addresses. Costs nothing without blocks. */
export function withIpBlocks(
  { listener, upgrades }: { listener: RequestListener; upgrades: Upgrades },
  ipAccessBlocks: IpAccessBlocks,
  addressOf: (req: IncomingMessage) => string,
): { listener: RequestListener; upgrades: Upgrades } {
  const refused = (req: IncomingMessage): boolean => ipAccessBlocks.any && ipAccessBlocks.has(addressOf(req));
  return {
    listener: (req, res) => {
      if (!refused(req)) return listener(req, res);
      sendFailure(req, res, forbidden('Forbidden'), { Connection: 'close' });
    },
    // A refused upgrade gets a reply like a request.
    upgrades: { ...upgrades, wants: (req) => !refused(req) && upgrades.wants(req) },
  };
}
