import { accountsOfKeys } from '../../queries/accounts/index.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { ImportRow } from '../../src/kernel/services/imports.ts';

/** A look that took so long, in milliseconds, says that a server does not answer. */
const SLOW = 8_000;

/** Finds out who is meant by addresses, on other servers where that is not known here. */
export class AddressBook {
  readonly #ctx: CommandContext;
  /** Servers that kept somebody waiting for nothing: they are not asked again by this one. */
  readonly #silent = new Set<string>();

  constructor(ctx: CommandContext) {
    this.#ctx = ctx;
  }

  /** The accounts by the keys of the rows; those that nobody knows are absent. */
  async find(rows: readonly ImportRow[]): Promise<ReadonlyMap<string, Id>> {
    const known = await accountsOfKeys(
      this.#ctx.db,
      rows.map(({ key }) => key),
    );
    const found = new Map([...known].map(([key, { id }]) => [key, id]));
    const unknown = rows.filter(({ key }) => !found.has(key) && key.includes('@'));
    await Promise.all(
      unknown.map(async ({ key, value }) => {
        const id = await this.#ask(key, value);
        if (id !== undefined) found.set(key, id);
      }),
    );
    if (unknown.length > 0) await this.#ctx.settle([MAIN]);
    return found;
  }

  async #ask(key: string, address: string): Promise<Id | undefined> {
    const host = key.slice(key.indexOf('@') + 1);
    if (this.#silent.has(host)) return undefined;
    const begun = performance.now();
    const found = await this.#ctx.services.resolver.resolve(address);
    if (!found && performance.now() - begun > SLOW) this.#silent.add(host);
    return found?.account;
  }
}
