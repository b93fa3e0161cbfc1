import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import type { Resolved } from '#kernel/services/federation.ts';
import type { ImportRow } from '#kernel/services/imports.ts';
import type { ImportType } from '#mastodon/portability.ts';
import { accountsOfKeys } from '#queries/accounts/index.ts';

/** A lookup of so many milliseconds means that a server does not answer. */
const SLOW = 8_000;

/** Resolves the targets of rows, through their servers when they are unknown here. */
export class Lookup {
  readonly #ctx: CommandContext;
  /** Servers that timed out, which this import does not ask again. */
  readonly #silent = new Set<string>();

  constructor(ctx: CommandContext) {
    this.#ctx = ctx;
  }

  /** Returns the accounts or posts by the keys of the rows, without unknown ones and domains. */
  async targets(type: ImportType, rows: readonly ImportRow[]): Promise<ReadonlyMap<string, Id>> {
    if (type === 'domain-blocks') return new Map();
    const found = type === 'bookmarks' ? await this.#posts(rows) : await this.#accounts(rows);
    return found;
  }

  async #accounts(rows: readonly ImportRow[]): Promise<Map<string, Id>> {
    const keys = rows.map(({ key }) => key);
    const known = await accountsOfKeys(this.#ctx.db, keys);
    const unknown = rows.filter(({ key }) => !known.has(key) && key.includes('@'));
    const found = await this.#all(unknown, ({ key, value }) =>
      this.#ask(key.slice(key.indexOf('@') + 1), value).then((resolved) => resolved?.account),
    );
    for (const [key, { id }] of known) found.set(key, id);
    return found;
  }

  #posts(rows: readonly ImportRow[]): Promise<Map<string, Id>> {
    return this.#all(rows, ({ key }) =>
      this.#ask(new URL(key).host, key).then((resolved) => resolved?.status),
    );
  }

  async #all(
    rows: readonly ImportRow[],
    look: (row: ImportRow) => Promise<Id | undefined>,
  ): Promise<Map<string, Id>> {
    const found = await Promise.all(rows.map(async (row) => [row.key, await look(row)] as const));
    return new Map(found.filter((pair): pair is readonly [string, Id] => pair[1] !== undefined));
  }

  async #ask(host: string, text: string): Promise<Resolved | undefined> {
    if (this.#silent.has(host)) return undefined;
    const begun = performance.now();
    const found = await this.#ctx.services.resolver.resolve(text);
    if (!found && performance.now() - begun > SLOW) this.#silent.add(host);
    return found;
  }
}
