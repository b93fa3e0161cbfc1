import { type Request, type RequestHandler, Router } from 'express';
import type { LogWitness } from '#kernel/services/transparency-log.ts';
import { decodeUtf8, readBytes } from './bodies.ts';
import { counted, unknownPath } from './fallbacks.ts';
import { sendReply } from './reply.ts';

/** The prefix of the addresses by which other logs and monitors reach this server as a witness. */
export const WITNESS_PREFIX = '/.well-known/rookery/witness';

/** Bytes: 63 hashes, and a checkpoint with the signatures of many witnesses. */
const MAX_BYTES = 65_536;
/** The maximum milliseconds for a body. */
const BODY_DEADLINE = 15_000;
const PLAIN = 'text/plain; charset=utf-8';

/** Serves https://c2sp.org/tlog-witness: any log may ask, and only those of the settings are cosigned. */
export function createWitnessRouter(witness: LogWitness, limit: (req: Request) => Promise<unknown>): Router {
  const router = Router({ caseSensitive: true });
  router.post(`${WITNESS_PREFIX}/add-checkpoint`, counted(limit), async (req, res) => {
    const { status, text, contentType } = await witness.addCheckpoint(await bodyOf(req));
    sendReply(req, res, { text, status, headers: { 'Content-Type': contentType } }, {});
  });
  router.get(`${WITNESS_PREFIX}/key`, counted(limit), (req, res) => {
    sendReply(req, res, { text: `${witness.key}\n`, headers: cached(3_600) }, {});
  });
  router.get(`${WITNESS_PREFIX}/:hash/checkpoint`, counted(limit), latest(witness));
  return router;
}

const latest =
  (witness: LogWitness): RequestHandler =>
  async (req, res) => {
    const { hash = '' } = req.params as Record<string, string>;
    const text = await witness.checkpointOf(hash);
    if (text === undefined) throw unknownPath(req.path);
    sendReply(req, res, { text, headers: cached(30) }, {});
  };

const cached = (seconds: number): Record<string, string> => ({
  'Content-Type': PLAIN,
  'Cache-Control': `public, max-age=${seconds}`,
});

/** Throws RookeryError `payload_too_large`, or `bad_request` when it is cut off or not UTF-8. */
async function bodyOf(req: Request): Promise<string> {
  const slow = setTimeout(() => req.destroy(), BODY_DEADLINE);
  try {
    return decodeUtf8(await readBytes(req, MAX_BYTES));
  } finally {
    clearTimeout(slow);
  }
}
