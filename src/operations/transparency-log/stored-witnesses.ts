import { type Db, statement } from '#kernel/read.ts';
import type { Cosignature } from './cosignature.ts';

/** The last exchange with a witness. */
export interface StoredWitness {
  url: string;
  /** The events of the last checkpoint that it has. */
  size: number;
  /** ISO 8601. */
  triedAt: string;
  /** ISO 8601: the last success. */
  postedAt: string | undefined;
  /** The line of its last verified cosignature. */
  cosignature: string | undefined;
  error: string | undefined;
  /** It knows a log that this one does not continue. */
  contradicts: boolean;
}

interface Row {
  url: string;
  tree_size: string;
  tried_at: string;
  posted_at: string | null;
  cosignature: string | null;
  error: string | null;
  contradicts: boolean;
}

const ALL = statement<Row>(
  'log_witnesses_all',
  `select url, tree_size, tried_at, posted_at, cosignature, error, contradicts from durable.log_witnesses
   order by url limit 100`,
);
const STORE = statement(
  'log_witnesses_store',
  `insert into durable.log_witnesses (url, tree_size, tried_at, posted_at, cosignature, error, contradicts)
   values ($1, $2, now(), case when $4::text is null then now() end, $3, $4, $5)
   on conflict (url) do update set tree_size = excluded.tree_size, tried_at = excluded.tried_at,
     posted_at = coalesce(excluded.posted_at, log_witnesses.posted_at),
     cosignature = coalesce(excluded.cosignature, log_witnesses.cosignature),
     error = excluded.error, contradicts = excluded.contradicts`,
);
const FORGET_FORMER = statement(
  'log_witnesses_forget_former',
  'delete from durable.log_witnesses where contradicts and url <> all($1::text[])',
);
const CONTRADICTING = statement<{ url: string; error: string | null }>(
  'log_witnesses_contradicting',
  'select url, error from durable.log_witnesses where contradicts order by url limit 1',
);

export const storedWitnesses = async (db: Db): Promise<StoredWitness[]> =>
  (await db.query(ALL)).map(({ url, tree_size, tried_at, posted_at, cosignature, error, contradicts }) => ({
    url,
    size: Number(tree_size),
    triedAt: tried_at,
    postedAt: posted_at ?? undefined,
    cosignature: cosignature ?? undefined,
    error: error ?? undefined,
    contradicts,
  }));

export interface WitnessOutcome {
  url: string;
  size: number;
  /** Verified with the key of the witness. */
  cosignature?: Cosignature | undefined;
  error?: string | undefined;
  /** The witness knows a log that this one does not continue. */
  contradicts?: boolean;
}

export async function storeWitness(
  db: Db,
  { url, size, cosignature, error, contradicts = false }: WitnessOutcome,
): Promise<void> {
  await db.query(STORE, [url, size, cosignature?.line ?? null, error ?? null, contradicts]);
}

/** Forgets findings of witnesses that the settings do not name any longer. */
export async function forgetFormerWitnesses(db: Db, urls: readonly string[]): Promise<void> {
  await db.query(FORGET_FORMER, [urls]);
}

/** Returns the finding of a witness that knows another log, or undefined. */
export async function contradictingWitness(db: Db): Promise<string | undefined> {
  const [row] = await db.query(CONTRADICTING);
  return row && `The witness ${row.url} knows another log: ${row.error}`;
}
