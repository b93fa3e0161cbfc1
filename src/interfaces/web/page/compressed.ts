import { constants } from 'node:zlib';
import compression from 'compression';

/** Bytes: shorter pages fit into the first packets as they are. */
const SMALL = 4_096;
const PACKED = /^(text\/html|application\/rss\+xml)/;

/** Compresses pages and feeds for browsers that accept it. Files and streams are sent as they are. */
export const compressed = compression({
  threshold: SMALL,
  filter: (_req, res) => PACKED.test(String(res.getHeader('Content-Type'))),
  // The levels that cost least: 60 kB become 11.
  level: 1,
  brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
});
