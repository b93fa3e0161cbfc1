import { LRUCache } from 'lru-cache';
import { batcherPerDb } from '#kernel/batcher.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, momentOf, sourceOf, statement } from '#kernel/read.ts';
import type { FilterResult } from '#mastodon/schemas/index.ts';
import { Automaton } from './automaton.ts';
import { type CompiledFilter, compiledFilter } from './compiled-filter.ts';
import { firstIn, type Keyword as Searched } from './first-match.ts';
import { foldText } from './fold-text.ts';
import { filtersOfAccount, type FullFilter } from './read.ts';
import { type KeywordHit, newOwner, remembered } from './remembered.ts';

/** The maximum bytes of all compiled filters of a process; the least recently used ones go first. */
const MAX_BYTES = 32 * 1024 * 1024;

const REVISIONS = statement<{ account_id: Id; revision: string }>(
  'filter_revisions',
  'select account_id, revision from filter_revisions where account_id = any($1::bigint[])',
);

/** The parts of a status that filters match. */
export interface FilteredStatus {
  statusId: Id;
  /** The reblogged status; an entry for either one matches. */
  reblogOfId?: Id | null | undefined;
  /** Content warning, content without markup, poll options and media descriptions, one line each. */
  text: string;
}

/** The active filters of one viewer at the time of one request. */
export interface ViewerFilters {
  /**
   * Returns every filter that the status matches, whatever its contexts: the client applies them, as in
   * Mastodon.
   */
  match(status: FilteredStatus): FilterResult[];
  /** Like `match`, as ready JSON. */
  matchJson(status: FilteredStatus): string;
}

/**
 * Returns the viewer's filters; undefined for a viewer without any, or without a viewer. Looks up the
 * revision once for all requests of a turn of the event loop; callers that read the revision with another
 * statement use `filtersAt`.
 */
export async function filtersOf(
  ctx: Pick<RequestContext, 'db' | 'viewer'>,
): Promise<ViewerFilters | undefined> {
  if (!ctx.viewer) return undefined;
  const accountId = ctx.viewer.account_id;
  const row = await revisions(ctx.db).get(accountId);
  return row && filtersAt(ctx.db, accountId, row.revision);
}

/**
 * Returns the filters of an account at this revision (`filter_revisions`: the position in the log of the last
 * change) or a later one; undefined when none is active. Compiled filters are reused while the revision stays
 * the same. The revision comes from the read model with the page, so a change takes effect with the next
 * read, in every process, without a notification.
 */
export async function filtersAt(db: Db, accountId: Id, revision: string): Promise<ViewerFilters | undefined> {
  const compiled = await compiledFor(db, accountId, revision);
  const now = momentOf(db);
  if (!compiled.isActive(now)) return undefined;
  return {
    match: (status) => compiled.match(status, now),
    matchJson: (status) => {
      const results = compiled.match(status, now);
      return results.length === 0 ? '[]' : JSON.stringify(results);
    },
  };
}

const revisions = batcherPerDb<Id, { revision: string }>((db) => async (ids) => {
  const rows = await db.query(REVISIONS, [ids]);
  const found = new Map(rows.map((row) => [row.account_id, row]));
  return ids.map((id) => found.get(id));
});

interface Cached {
  revision: string;
  compiled: Promise<CompiledFilters>;
}
const caches = new WeakMap<Db, LRUCache<Id, Cached>>();

async function compiledFor(db: Db, accountId: Id, revision: string): Promise<CompiledFilters> {
  const source = sourceOf(db);
  let cache = caches.get(source);
  if (!cache) {
    cache = new LRUCache({ max: 10_000, maxSize: MAX_BYTES });
    caches.set(source, cache);
  }
  const known = cache.get(accountId);
  // Requests may overtake each other: the newer filters serve both.
  if (known && BigInt(known.revision) >= BigInt(revision)) return known.compiled;
  const compiled = filtersOfAccount(db, accountId).then(
    (filters) => new CompiledFilters(filters, momentOf(db)),
  );
  const entry: Cached = { revision, compiled };
  cache.set(accountId, entry, { size: 1 });
  try {
    const { bytes } = await compiled;
    // Only now is its size known.
    if (cache.peek(accountId) === entry) cache.set(accountId, entry, { size: bytes });
  } catch (error) {
    if (cache.peek(accountId) === entry) cache.delete(accountId);
    throw error;
  }
  return compiled;
}

/** The filters of one user, compiled, without those that had expired at that time. */
export class CompiledFilters {
  readonly #owner = newOwner();
  readonly #filters: readonly CompiledFilter[];
  readonly #keywords: Keyword[] = [];
  readonly #automaton: Automaton | undefined;
  /** Filters that contain statuses. */
  readonly #naming = new Set<number>();
  /** The filters of each status. */
  readonly #statuses = new Map<Id, number[]>();

  constructor(filters: readonly FullFilter[], now = Date.now()) {
    this.#filters = filters.map(compiledFilter).filter(({ expires }) => expires > now);
    const active = filters.filter(({ id }) => this.#filters.some(({ head }) => head.id === id));
    for (const [filter, { keywords, statuses }] of active.entries()) {
      for (const { keyword, whole_word: wholeWord } of keywords) {
        this.#keywords.push({ filter, keyword, wholeWord });
      }
      if (statuses.length > 0) this.#naming.add(filter);
      for (const { status_id: id } of statuses) {
        this.#statuses.set(id, [...(this.#statuses.get(id) ?? []), filter]);
      }
    }
    const patterns = active.flatMap(({ keywords }) =>
      keywords.map(({ keyword, whole_word: wholeWord }) => ({ text: foldText(keyword), wholeWord })),
    );
    if (patterns.length > 0) this.#automaton = new Automaton(patterns);
  }

  get bytes(): number {
    return (
      (this.#automaton?.bytes ?? 0) +
      this.#filters.length * 1_000 +
      this.#keywords.reduce((sum, { keyword }) => sum + 100 + keyword.length * 2, 0) +
      this.#statuses.size * 200 +
      1_000
    );
  }

  /** Returns true if any filter can match at this time, in milliseconds since 1970. */
  isActive(now: number): boolean {
    if (this.#keywords.length === 0 && this.#statuses.size === 0) return false;
    return this.#filters.some(({ expires }) => expires > now);
  }

  /** https://docs.joinmastodon.org/entities/FilterResult/, oldest filter first. */
  match({ statusId, reblogOfId, text }: FilteredStatus, now: number): FilterResult[] {
    const named = [statusId, reblogOfId ?? undefined].filter((id) => id !== undefined);
    const words = new Map(this.#hitsIn({ statusId, text }).map(({ filter, word }) => [filter, word]));
    const statuses = new Map<number, Id[]>();
    for (const id of named) {
      for (const filter of this.#statuses.get(id) ?? []) {
        statuses.set(filter, [...(statuses.get(filter) ?? []), id]);
      }
    }
    if (words.size === 0 && statuses.size === 0) return [];
    return [...new Set([...words.keys(), ...statuses.keys()])]
      .sort((a, b) => a - b)
      .flatMap((number) => {
        const filter = this.#filters[number];
        if (!filter || filter.expires <= now) return [];
        const word = words.get(number);
        return {
          filter: filter.head,
          keyword_matches: word === undefined ? null : [word],
          status_matches: this.#naming.has(number) ? (statuses.get(number) ?? []) : null,
        };
      });
  }

  /** Returns the first hit of each filter with a keyword in the text. */
  #hitsIn(status: { statusId: Id; text: string }): readonly KeywordHit[] {
    const automaton = this.#automaton;
    if (!automaton) return [];
    return remembered(this.#owner, status, (text) => {
      const byFilter = new Map<number, Keyword[]>();
      for (const number of automaton.matchesIn(foldText(text)).sort((a, b) => a - b)) {
        const keyword = this.#keywords[number];
        if (keyword) byFilter.set(keyword.filter, [...(byFilter.get(keyword.filter) ?? []), keyword]);
      }
      return [...byFilter].map(([filter, keywords]) => ({ filter, word: firstIn(text, keywords) }));
    });
  }
}

interface Keyword extends Searched {
  filter: number;
}
