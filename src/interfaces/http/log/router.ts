import type { IncomingMessage } from 'node:http';
import { type Request, type Response, Router } from 'express';
import { notFound, RookeryError } from '#kernel/errors.ts';
import { parsePlacePath, parseTilePath } from '#kernel/tile-address.ts';
import { counted } from '../fallbacks.ts';
import { COMMON_HEADERS, sendFailure, sendPreflight } from '../reply.ts';

/** The public part of the log, by tiles: https://c2sp.org/tlog-tiles */
interface PublicTiles {
  tile(address: { level: number; place: number; width: number }): Promise<Buffer | undefined>;
  publicEntries(address: { place: number; width: number }): Promise<string | undefined>;
}

export interface LogDependencies {
  log: PublicTiles;
  /** Counts a request. @throws RookeryError `too_many_requests` */
  limitTiles: (req: IncomingMessage) => Promise<unknown>;
}

export const LOG_PATH = '/.well-known/rookery/log';
const TILES = `${LOG_PATH}/tile/`;
const ENTRIES = `${LOG_PATH}/entries/`;
/** Seconds: a tile never changes. */
const FOR_A_YEAR = 31_536_000;
const IMMUTABLE = `public, max-age=${FOR_A_YEAR}, immutable`;

/** Serves the tiles of the log and the public part of its events, as they are stored. */
export function createLogRouter({ log, limitTiles }: LogDependencies): Router {
  const router = Router();
  const tile = async (req: Request): Promise<Buffer | undefined> => {
    const address = parseTilePath(req.path.slice(TILES.length));
    if (!address) throw malformed();
    return log.tile(address);
  };
  const entries = async (req: Request): Promise<string | undefined> => {
    const address = parsePlacePath(req.path.slice(ENTRIES.length));
    if (!address) throw malformed();
    return log.publicEntries(address);
  };
  const count = counted(limitTiles);
  router.get(`${TILES}*path`, count, (req, res) => send(req, res, tile, 'application/octet-stream'));
  router.get(`${ENTRIES}*path`, count, (req, res) => send(req, res, entries, 'application/x-ndjson'));
  for (const path of [TILES, ENTRIES]) router.options(`${path}*path`, (_req, res) => sendPreflight(res));
  return router;
}

const malformed = (): RookeryError =>
  new RookeryError('bad_request', 'That is no tile: its address is LEVEL/xNNN/NNN.p/WIDTH');

async function send(
  req: Request,
  res: Response,
  read: (req: Request) => Promise<Buffer | string | undefined>,
  type: string,
): Promise<void> {
  let body: Buffer | string | undefined;
  try {
    body = await read(req);
    if (body === undefined) throw notFound();
  } catch (error) {
    if (!(error instanceof RookeryError)) throw error;
    return sendFailure(req, res, error);
  }
  res.writeHead(200, {
    ...COMMON_HEADERS,
    'Content-Type': type,
    'Cache-Control': IMMUTABLE,
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}
