import { type Db, statement } from '#kernel/read.ts';
import { HASH_BYTES, TILE_WIDTH, type TileAddress } from '#kernel/tile-address.ts';

/** The lowest level of the tree, by 256 events. */
export interface StoredTile {
  /** The number of full tiles before it. */
  place: number;
  /** The number of its events, 256 at most. */
  width: number;
  /** 32 bytes an event. */
  hashes: Buffer;
  /** A line an event, without its end: what is public of it, as members of a JSON object. */
  entries: string;
  /** The position of its last event. */
  lastPosition: bigint;
}

const FULL_END = statement<{ place: string; last_position: string }>(
  'log_tiles_full_end',
  'select place, last_position from durable.log_tiles where width = 256 order by place desc limit 1',
);
const COVERED = statement<{ place: string; width: number }>(
  'log_tiles_covered',
  'select place, width from durable.log_tiles order by place desc limit 1',
);
const STORE = statement(
  'log_tiles_store',
  `insert into durable.log_tiles (place, width, hashes, entries, last_position) values ($1, $2, $3, $4, $5)
   on conflict (place) do update set width = excluded.width, hashes = excluded.hashes, entries = excluded.entries,
     last_position = excluded.last_position
   where log_tiles.width < excluded.width`,
);
const PUBLISHED = statement<{ note: string }>(
  'log_tiles_published',
  `select note from durable.log_checkpoints where divergence is null and tree_size <=
     coalesce((select place * 256 + width from durable.log_tiles order by place desc limit 1), 0)
   order by tree_size desc, made_at desc limit 1`,
);
const LEAVES = statement<{ hashes: Buffer }>(
  'log_tiles_leaves',
  'select substring(hashes from 1 for $2) as hashes from durable.log_tiles where place = $1 and width >= $3',
);
const ENTRIES = statement<{ hashes: Buffer; entries: string }>(
  'log_tiles_entries',
  'select hashes, entries from durable.log_tiles where place = $1 and width >= $2',
);
/** The hashes of a higher level may be ahead of the lowest one, which is filled later. */
const ABOVE = statement<{ hash: Buffer }>(
  'log_tiles_above',
  `select hash from durable.log_subtrees where level = $1 and place >= $2 and place < $3
   and exists (select from durable.log_tiles where place = $4 and width = 256) order by place`,
);

/** Returns the number of full tiles, and the position of the last event in them. */
export async function fullTiles(db: Db): Promise<{ count: number; lastPosition: bigint }> {
  const [row] = await db.query(FULL_END);
  return { count: row ? Number(row.place) + 1 : 0, lastPosition: BigInt(row?.last_position ?? 0) };
}

/** Returns the number of events in tiles. */
export async function coveredByTiles(db: Db): Promise<number> {
  const [row] = await db.query(COVERED);
  return row ? Number(row.place) * TILE_WIDTH + row.width : 0;
}

/** Stores a tile unless there is one of its width or more: a narrower one is its beginning. */
export async function storeTile(db: Db, tile: StoredTile): Promise<void> {
  const { place, width, hashes, entries, lastPosition } = tile;
  await db.query(STORE, [place, width, hashes, entries, String(lastPosition)]);
}

/** Returns the newest checkpoint whose whole tree is in tiles; undefined without any. */
export async function publishedCheckpoint(db: Db): Promise<string | undefined> {
  const [row] = await db.query(PUBLISHED);
  return row?.note;
}

/** Returns the hashes of a tile, 32 bytes each; undefined for a tile that the published tree does not have. */
export async function tileHashes(db: Db, { level, place, width }: TileAddress): Promise<Buffer | undefined> {
  if (level === 0) {
    const [row] = await db.query(LEAVES, [place, width * HASH_BYTES, width]);
    return row?.hashes;
  }
  const first = place * TILE_WIDTH;
  const lastLeaves = (first + width) * TILE_WIDTH ** (level - 1) - 1;
  if (!Number.isSafeInteger(lastLeaves)) return undefined;
  const rows = await db.query(ABOVE, [level, first, first + width, lastLeaves]);
  return rows.length < width ? undefined : Buffer.concat(rows.map(({ hash }) => hash));
}

/** Returns what is public of the events of a tile, a line of JSON each; undefined as `tileHashes`. */
export async function tileEntries(
  db: Db,
  { place, width }: Pick<TileAddress, 'place' | 'width'>,
): Promise<string | undefined> {
  const [row] = await db.query(ENTRIES, [place, width]);
  if (!row) return undefined;
  const lines = row.entries.split('\n').slice(0, width);
  const hashAt = (n: number): string => row.hashes.toString('base64', n * HASH_BYTES, (n + 1) * HASH_BYTES);
  return lines.map((line, n) => `{${line},"leaf":"${hashAt(n)}"}\n`).join('');
}
