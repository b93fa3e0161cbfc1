import { createHash } from 'node:crypto';
import { outside } from '#kernel/places.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { FoundCard } from './describe.ts';

/** How long a card is cached, and how long a page without one is not fetched again. */
const FOUND_FOR = '1 day';
const MISSING_FOR = '1 hour';

const RECALL = statement<{ card: FoundCard | null }>(
  'link_previews_recall',
  'select card from durable.link_previews where url_digest = $1 and expires_at > now()',
);
const REMEMBER = statement(
  'link_previews_remember',
  `insert into durable.link_previews (url_digest, card, expires_at)
   values ($1, $2, now() + case when $2::jsonb is null then interval '${MISSING_FOR}' else interval '${FOUND_FOR}' end)
   on conflict (url_digest) do update set card = excluded.card, expires_at = excluded.expires_at`,
);
const FORGET = statement(
  'link_previews_forget',
  `delete from durable.link_previews where url_digest in (
     select url_digest from durable.link_previews where expires_at < now() limit 100)`,
);

/** The key of a URL in the media store and in this table. */
export const digestOf = (url: string): Buffer => createHash('sha256').update(url).digest();

type Load = (url: string) => Promise<FoundCard | undefined>;

/** Caches the cards of pages, also missing ones; concurrent callers share one request. */
export class RememberedCards {
  readonly #running = new Map<string, Promise<FoundCard | undefined>>();

  /** Returns the card of a page, from the cache or by `load`. */
  async get(db: Db, url: string, load: Load): Promise<FoundCard | undefined> {
    const running = this.#running.get(url);
    if (running) return outside(() => running);
    const looking = this.#look(db, url, load).finally(() => this.#running.delete(url));
    this.#running.set(url, looking);
    return looking;
  }

  async #look(db: Db, url: string, load: Load): Promise<FoundCard | undefined> {
    const digest = digestOf(url);
    const [known] = await db.query(RECALL, [digest]);
    if (known) return known.card ?? undefined;
    const card = await load(url);
    await db.query(REMEMBER, [digest, card ? JSON.stringify(card) : null]);
    await db.query(FORGET);
    return card;
  }
}
