import type { IncomingMessage, RequestListener } from 'node:http';
import { forbidden } from '../../kernel/errors.ts';
import type { Upgrades } from './listen.ts';
import { sendFailure } from './reply.ts';

/** Which addresses may not have access at all. */
export interface IpAccessBlocks {
  /** False where nobody is shut out: then there is no need to know who asks. */
  readonly any: boolean;
  has(address: string): boolean;
}

/** Refuses whom staff shut out, whatever they ask for. Where that is nobody, it costs nothing. */
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
    // Who is not upgraded is answered as above.
    upgrades: { ...upgrades, wants: (req) => !refused(req) && upgrades.wants(req) },
  };
}
