import { isIP } from 'node:net';
import type { IpSeverity } from '#events/ip-blocks.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { AdminIpBlock } from '#mastodon/schemas/index.ts';

/** The entity's columns from `ip_blocks b`. */
export const IP_BLOCK_COLUMNS = 'b.id, text(b.ip) as ip, b.severity, b.comment, b.created_at, b.expires_at';

const BLOCK = statement<AdminIpBlock>(
  'ip_block',
  `select ${IP_BLOCK_COLUMNS} from ip_blocks b where b.id = $1 order by b.created_at desc limit 10`,
);
const RANGE_BY_KEY = statement<{ ip: string }>(
  'ip_block_by_key',
  'select text(ip) as ip from ip_blocks where key_id = $1',
);
const ABOVE = statement<AdminIpBlock>(
  'ip_blocks_above',
  `select ${IP_BLOCK_COLUMNS} from ip_blocks b where b.id > $1 order by b.id limit $2`,
);
const COVERING = statement<AdminIpBlock>(
  'ip_blocks_covering',
  `select ${IP_BLOCK_COLUMNS} from ip_blocks b where b.ip >>= $1::inet and (b.ip = $1::inet or not $2)
   order by masklen(b.ip) desc limit 129`,
);
const RANGE = statement<{ range: string }>('ip_range', 'select text(network($1::inet)) as range');
const HOLDS = statement<{ holds: boolean }>('ip_range_holds', 'select $1::inet >>= $2::inet as holds');
/** The strictest severity of the blocks that apply. */
const SEVERITY = statement<{ severity: IpSeverity }>(
  'ip_block_severity',
  `select severity from ip_blocks where ip >>= $1::inet and (expires_at is null or expires_at > $2)
   order by array_position(array['no_access', 'sign_up_block', 'sign_up_requires_approval'], severity) limit 1`,
);

/** Returns one row, or two after a crash during a change of the range, newest first. */
export const ipBlockRows = (db: Db, { id }: { id: string }): Promise<AdminIpBlock[]> => db.query(BLOCK, [id]);

/**
 * Returns the range whose address and comment are sealed by the key of this name (`ipBlockKey`); undefined
 * when it is not blocked.
 */
export async function rangeOfKey(db: Db, key: Id): Promise<string | undefined> {
  const [row] = await db.query(RANGE_BY_KEY, [key]);
  return row?.ip;
}

/** Returns the blocks with ids above `after`, oldest first. */
export const ipBlocksAbove = (db: Db, after: Id, limit: number): Promise<AdminIpBlock[]> =>
  db.query(ABOVE, [after, limit]);

/**
 * Returns the blocks that cover all of a range (`rangeOf`), narrowest first; with `exactly`, only blocks of
 * this range.
 */
export const coveringIpBlocks = (
  db: Db,
  range: string,
  { exactly }: { exactly: boolean },
): Promise<AdminIpBlock[]> => db.query(COVERING, [range, exactly]);

/** Throws RookeryError `not_found`. */
export async function ipBlockOf(db: Db, key: { id: string }): Promise<AdminIpBlock> {
  const [row] = await ipBlockRows(db, key);
  if (!row) throw notFound();
  return row;
}

/**
 * Returns the range of a text in one form: `192.0.2.7/24` becomes `192.0.2.0/24`, a single address a range of
 * one, and IPv4 in IPv6 IPv4. Undefined for other text.
 */
export async function rangeOf(db: Db, text: string): Promise<string | undefined> {
  const [given = '', bits, ...more] = text.trim().split('/');
  const mapped = /^::ffff:([0-9.]+)$/i.exec(given)?.[1];
  const address = mapped ?? given;
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(bits) - (mapped === undefined ? 0 : 96);
  if (version === 0 || address.includes('%') || more.length > 0) return undefined;
  if ((bits !== undefined && !/^[0-9]{1,3}$/.test(bits)) || length < 0 || length > most) return undefined;
  const [row] = await db.query(RANGE, [`${address}/${length}`]);
  return row?.range;
}

/** Returns true if an address is in a range. */
export async function rangeHolds(db: Db, range: string, address: string): Promise<boolean> {
  const [row] = await db.query(HOLDS, [range, address]);
  return row?.holds === true;
}

/** Returns the severity of the blocks of an address at `now` (ISO 8601). */
export async function severityAgainst(db: Db, address: string, now: string): Promise<IpSeverity | undefined> {
  if (isIP(address) === 0) return undefined;
  const [row] = await db.query(SEVERITY, [address, now]);
  return row?.severity;
}
