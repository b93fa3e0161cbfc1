import { setTimeout } from 'node:timers/promises';
import {
  knownMentions,
  namedAccounts,
  unknownAccounts,
  type KnownMention,
} from '../../../../queries/federation/index.ts';
import { MAX_UNRESOLVED_MENTIONS } from '../../../events/statuses.ts';
import type { CommandContext } from '../../../kernel/context.ts';

/** The maximum number of accounts that one post fetches at once; a job fetches the others. */
const MAX_ASKED = 10;
/** Milliseconds. A job repeats slower requests. */
const DEADLINE = 8_000;
const MAX_URI = 2_048;

/** The accounts that a post mentions. */
export interface Mentioned {
  /** In the order of the post. */
  known: KnownMention[];
  /** The URIs of unknown accounts. */
  unresolved: string[];
}

/**
 * Returns the accounts that a post mentions, each named by its id or its profile address. Fetches some
 * unknown accounts, so that a reply reaches them.
 */
export async function mentionedAccounts(ctx: CommandContext, uris: readonly string[]): Promise<Mentioned> {
  const unknown = await unknownAccounts(
    ctx.db,
    uris.filter((uri) => isForeign(uri, ctx.instance.origin)),
  );
  const found = await ask(ctx, unknown.slice(0, MAX_ASKED));
  const known = await knownMentions(ctx.db, [...uris, ...found.keys()]);
  const resolved = new Set(known.flatMap(({ uri, url }) => [uri, url, found.get(uri) ?? uri]));
  const unresolved = unknown.filter((uri) => !resolved.has(uri));
  return { known, unresolved: unresolved.slice(0, MAX_UNRESOLVED_MENTIONS) };
}

const isForeign = (uri: string, origin: string): boolean =>
  /^https?:/.test(uri) && uri.length <= MAX_URI && URL.canParse(uri) && !uri.startsWith(`${origin}/`);

/** Returns the URIs of the accounts at these addresses, each with the requested address. */
async function ask(ctx: CommandContext, uris: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (uris.length === 0) return found;
  const { resolver } = ctx.services;
  const accounts = new Map<string, string>();
  const asked = uris.map(async (uri) => {
    const account = (await resolver.identify(uri))?.account;
    if (account !== undefined) accounts.set(account, uri);
  });
  await Promise.race([Promise.all(asked), setTimeout(DEADLINE, undefined, { ref: false })]);
  for (const [id, { uri }] of await namedAccounts(ctx.db, [...accounts.keys()])) {
    found.set(uri, accounts.get(id) ?? uri);
  }
  return found;
}
