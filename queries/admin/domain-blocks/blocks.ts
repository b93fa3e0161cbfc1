import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { withParents } from '#mastodon/domain-name.ts';
import type { AdminDomainBlock } from '#mastodon/schemas/index.ts';

/** The entity's columns from `domain_blocks b`. */
export const BLOCK_COLUMNS = `b.id, b.domain, encode(sha256(convert_to(b.domain, 'UTF8')), 'hex') as digest, b.created_at,
  b.severity, b.reject_media, b.reject_reports, b.private_comment, b.public_comment, b.obfuscate`;

const BLOCK = statement<AdminDomainBlock>(
  'domain_block',
  `select ${BLOCK_COLUMNS} from domain_blocks b where b.id = $1 or b.domain = $2`,
);
const HOLDING = statement<AdminDomainBlock>(
  'domain_block_holding',
  `select ${BLOCK_COLUMNS} from domain_blocks b where b.domain = any($1::text[])
   order by length(b.domain) desc limit 1`,
);
const ABOVE = statement<AdminDomainBlock>(
  'domain_blocks_above',
  `select ${BLOCK_COLUMNS} from domain_blocks b where b.id > $1 order by b.id limit $2`,
);

/** Finds a block by its id or its canonical domain. @throws RookeryError `not_found` */
export async function domainBlockOf(
  db: Db,
  { id, domain }: { id?: string; domain?: string },
): Promise<AdminDomainBlock> {
  const [row] = await db.query(BLOCK, [id ?? null, domain ?? null]);
  if (!row) throw notFound();
  return row;
}

/** Returns the block that applies to a canonical domain: its own, or that of the closest domain above it. */
export async function holdingBlock(db: Db, domain: string): Promise<AdminDomainBlock | undefined> {
  const [row] = await db.query(HOLDING, [withParents(domain)]);
  return row;
}

/** Returns the blocks with ids above `after`, oldest first. */
export const domainBlocksAbove = (db: Db, after: Id, limit: number): Promise<AdminDomainBlock[]> =>
  db.query(ABOVE, [after, limit]);
