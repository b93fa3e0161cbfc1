import { type Db, statement } from '#kernel/read.ts';
import type { KnownFile } from '#kernel/services/remote-media.ts';
import type { RemoteMediaId, RemoteMediaKind, RemoteMediaVariant } from '#mastodon/remote-media.ts';

/** The maximum number of rows of one file that are searched for an account that may show it. */
const MOST = 1_000;
const PAGE = 500;

/**
 * Selects an account that shows it, exists, and is of no domain that is suspended or whose media are
 * rejected.
 */
const shownBy = (digest: string, kind: string): string => `
  (select m.url from (
     select account_id, url from remote_media where digest = ${digest} and kind = ${kind} limit ${MOST}) m
   join accounts a on a.id = m.account_id
   where not a.suspended and not a.media_rejected limit 1)`;

const SHOWN = statement<{
  url: string;
  key: string | null;
  bytes: string;
  variant: RemoteMediaVariant;
  seen_long_ago: boolean;
}>(
  'remote_media_shown',
  `select v.url, c.key, c.bytes, c.variant, c.seen_at < now() - interval '10 minutes' as seen_long_ago
   from ${shownBy('$1', '$2')} v
   left join lateral (
     select key, bytes, variant, seen_at from durable.media_cache
     where digest = $1 and kind = $2 and state = 'kept' and (variant = $3 or still)
     order by variant = $3 desc limit 1) c on true`,
);
/** The rule of the closest domain applies. */
const RULE = statement<{ blocked: boolean }>(
  'remote_media_rule',
  `select severity = 'suspend' or reject_media as blocked from account_domain_rules
   where domain = any($1) order by length(domain) desc limit 1`,
);
/** The picture of a card is stored before its post shows it. */
const UNSHOWN = statement<{ kind: RemoteMediaKind; digest: string; unshown: boolean }>(
  'remote_media_unshown',
  `select c.kind, c.digest, c.changed_at < now() - interval '1 hour' and not exists ${shownBy('c.digest', 'c.kind')}
     as unshown
   from (select distinct kind, digest, min(changed_at) over (partition by kind, digest) as changed_at
         from durable.media_cache where (kind, digest) > ($1, $2) and state = 'kept'
         order by kind, digest limit ${PAGE}) c
   order by c.kind, c.digest`,
);
const KEYS = statement<{ key: string }>(
  'remote_media_keys',
  'select key from durable.media_cache where key = any($1)',
);
const UNDESCRIBED = statement<{ status_id: string; attachment_id: string }>(
  'remote_media_undescribed',
  `select subject_id as status_id, attachment_id from remote_media
   where digest = $1 and kind = $2 and not described limit 20`,
);
const OF_SUBJECT = statement<KnownFile & { kept: boolean }>(
  'remote_media_of_subject',
  `select m.kind, m.url, exists (
     select from durable.media_cache c where c.kind = m.kind and c.digest = m.digest and c.state = 'kept') as kept
   from remote_media m where m.subject_id = $1 limit 200`,
);

/**
 * Returns a file that an account or a post shows, with its stored copy; undefined when nothing may show it.
 */
export async function shownFile(db: Db, { digest, kind, variant }: RemoteMediaId) {
  const [row] = await db.query(SHOWN, [digest, kind, variant]);
  if (!row) return undefined;
  const { url, key, bytes, seen_long_ago: seenLongAgo } = row;
  const kept = key === null ? undefined : { key, bytes: Number(bytes), variant: row.variant, seenLongAgo };
  return { url, kept };
}

/** Returns true if no block of the host's domain, or of one above it, forbids to fetch files. */
export async function mayFetchFrom(db: Db, host: string): Promise<boolean> {
  const labels = host.split('.');
  const domains = labels.map((_, index) => labels.slice(index).join('.'));
  const [rule] = await db.query(RULE, [domains]);
  return rule?.blocked !== true;
}

/** Yields stored files that nothing may show any longer, page by page. */
export async function* unshownFiles(db: Db): AsyncGenerator<Pick<RemoteMediaId, 'kind' | 'digest'>[]> {
  let after = ['', ''];
  for (;;) {
    const rows = await db.query(UNSHOWN, after);
    yield rows.filter(({ unshown }) => unshown).map(({ kind, digest }) => ({ kind, digest }));
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = [last.kind, last.digest];
  }
}

/** Returns those of these names that belong to stored files. */
export async function knownKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  return new Set((await db.query(KEYS, [keys])).map(({ key }) => key));
}

/** Returns attachments without blurhash and size. */
export const undescribedAttachments = (
  db: Db,
  { digest, kind }: Pick<RemoteMediaId, 'digest' | 'kind'>,
): Promise<{ status_id: string; attachment_id: string }[]> => db.query(UNDESCRIBED, [digest, kind]);

/** The files that an account or a post shows. */
export const filesShownBy = (db: Db, subjectId: string): Promise<(KnownFile & { kept: boolean })[]> =>
  db.query(OF_SUBJECT, [subjectId]);
