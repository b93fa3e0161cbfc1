import { type Db, statement } from '#kernel/read.ts';
import { parseCheckpoint } from './checkpoint.ts';
import type { Cosignature } from './cosignature.ts';

/** The most cosignatures of one checkpoint: witnesses of former settings count as well. */
const MAX_LINES = 32;

const STORE = statement(
  'log_cosignatures_store',
  `insert into durable.log_cosignatures (tree_size, text, witness, time, line) values ($1, $2, $3, $4, $5)
   on conflict (tree_size, text, witness) do update set time = excluded.time, line = excluded.line`,
);
/** Most checkpoints are deleted after a day. */
const THIN = statement(
  'log_cosignatures_thin',
  `delete from durable.log_cosignatures s where s.time < extract(epoch from now() - interval '25 hours')
   and not exists (select from durable.log_checkpoints c where c.tree_size = s.tree_size)`,
);
const OF = statement<{ tree_size: string; text: string; line: string }>(
  'log_cosignatures_of',
  `select tree_size, text, line from (
     select *, row_number() over (partition by tree_size, text order by time desc, witness) as place
     from durable.log_cosignatures where tree_size = any($1::bigint[])
   ) s where place <= ${MAX_LINES} order by tree_size, time, witness`,
);
const COSIGNED = statement<{ note: string }>(
  'log_cosignatures_cosigned',
  `select note from durable.log_checkpoints c where divergence is null
     and exists (select from durable.log_cosignatures s where s.tree_size = c.tree_size and starts_with(c.note, s.text))
   order by tree_size desc, made_at desc limit $1`,
);

/** Stores the verified cosignature of a checkpoint. */
export async function storeCosignature(db: Db, checkpoint: string, cosignature: Cosignature): Promise<void> {
  const { size, note } = parseCheckpoint(checkpoint);
  const { witness, time, line } = cosignature;
  await db.query(STORE, [size, note.text, witness, time, line]);
  await db.query(THIN);
}

/** Returns signed checkpoints with the cosignatures that are stored for them, in the same order. */
export async function withCosignatures(db: Db, checkpoints: readonly string[]): Promise<string[]> {
  if (checkpoints.length === 0) return [];
  const parsed = checkpoints.map((text) => ({ text, ...parseCheckpoint(text) }));
  const rows = await db.query(OF, [parsed.map(({ size }) => size)]);
  return parsed.map(({ text, size, note }) =>
    rows
      .filter((row) => Number(row.tree_size) === size && row.text === note.text && !text.includes(row.line))
      .reduce((whole, { line }) => `${whole}${line}`, text),
  );
}

/** Returns the newest checkpoints that a witness cosigned, with their cosignatures, the newest first. */
export async function cosignedCheckpoints(db: Db, limit: number): Promise<string[]> {
  const rows = await db.query(COSIGNED, [limit]);
  return withCosignatures(
    db,
    rows.map(({ note }) => note),
  );
}
