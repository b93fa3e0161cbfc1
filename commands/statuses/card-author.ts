import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { atMost } from '#kernel/lru.ts';
import { accountIdOf, mayBeCredited } from '#queries/accounts/index.ts';

/** A page that names its author: `creator` is a handle without its leading @. */
export interface SignedPage {
  url: string;
  creator: string;
}

/** Milliseconds. A card does not wait longer for its author's server. */
const DEADLINE = 5_000;
/** Authors at one server that pages may make this server ask for within `WINDOW` milliseconds. */
const MAX_ASKED = 30;
const WINDOW = 5 * 60_000;

/** Finds the authors that pages name by `fediverse:creator`. */
export class CardAuthors {
  /** The number of questions by host. */
  readonly #asked = new LRUCache<string, number>({ ...atMost(10_000), ttl: WINDOW, noUpdateTTL: true });

  /**
   * Returns the account that a page names as its author, if the account allows the host of the page to do so. An account of another
   * server is looked up there; while that server does not answer, or was asked often, the known account counts.
   */
  async find(ctx: CommandContext, { url, creator }: SignedPage): Promise<Id | undefined> {
    const known = await accountIdOf(ctx.db, ctx.instance, creator);
    const host = creator.slice(creator.lastIndexOf('@') + 1).toLowerCase();
    const id = this.#mayAsk(ctx, host) ? ((await ask(ctx, creator)) ?? known) : known;
    return id !== undefined && (await mayBeCredited(ctx.db, id, url)) ? id : undefined;
  }

  #mayAsk({ instance }: CommandContext, host: string): boolean {
    if (host === instance.domain.toLowerCase()) return false;
    const asked = this.#asked.get(host) ?? 0;
    if (asked >= MAX_ASKED) return false;
    this.#asked.set(host, asked + 1);
    return true;
  }
}

/** Asks a server for an account that is not known, or was not fetched lately. */
async function ask({ services }: CommandContext, creator: string): Promise<Id | undefined> {
  const found = services.resolver.resolve(`@${creator}`);
  return (await Promise.race([found, setTimeout(DEADLINE, undefined, { ref: false })]))?.account;
}
