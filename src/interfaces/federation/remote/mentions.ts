import { setTimeout } from 'node:timers/promises';
import { MAX_UNRESOLVED_MENTIONS } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { HostBudget } from '#kernel/host-budget.ts';
import {
  type KnownMention,
  knownMentions,
  namedAccounts,
  unknownAccounts,
} from '#queries/federation/index.ts';

/** The maximum number of accounts that one post fetches at once; a job fetches the others. */
const MAX_ASKED = 10;
/** Requests to one host for the mentions of one post; the job has four more (`resolve-mentions.ts`). */
const MAX_AT_HOST = 6;
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

interface Asking {
  /** False for the posts above an incoming one: only known accounts are mentioned. */
  isIncoming?: boolean;
  /** The host that sent the post, which may be asked without a budget. */
  sender?: string;
}

/**
 * Returns the accounts that a post mentions, each named by its id or its profile address. Fetches some
 * unknown accounts, so that a reply reaches them.
 */
export async function mentionedAccounts(
  ctx: CommandContext,
  uris: readonly string[],
  { isIncoming = true, sender }: Asking = {},
): Promise<Mentioned> {
  if (!isIncoming) return { known: await knownMentions(ctx.db, uris), unresolved: [] };
  const unknown = await unknownAccounts(
    ctx.db,
    uris.filter((uri) => isForeign(uri, ctx.instance.origin)),
  );
  const budget = new HostBudget(MAX_AT_HOST, { free: sender });
  const found = await ask(ctx, unknown.slice(0, MAX_ASKED), budget);
  const known = await knownMentions(ctx.db, [...uris, ...found.keys()]);
  const resolved = new Set(known.flatMap(({ uri, url }) => [uri, url, found.get(uri) ?? uri]));
  const unresolved = unknown.filter((uri) => !resolved.has(uri));
  return { known, unresolved: unresolved.slice(0, MAX_UNRESOLVED_MENTIONS) };
}

const isForeign = (uri: string, origin: string): boolean =>
  /^https?:/.test(uri) && uri.length <= MAX_URI && URL.canParse(uri) && !uri.startsWith(`${origin}/`);

/** Returns the URIs of the accounts at these addresses, each with the requested address. */
async function ask(
  ctx: CommandContext,
  uris: readonly string[],
  budget: HostBudget,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (uris.length === 0) return found;
  const { resolver } = ctx.services;
  const accounts = new Map<string, string>();
  const askOne = async (uri: string): Promise<void> => {
    const account = (await resolver.identify(uri, budget))?.account;
    if (account !== undefined) accounts.set(account, uri);
  };
  // One after the other, because an account whose handle is not confirmed any longer was asked for in vain.
  const askInTurn = async (list: readonly string[]): Promise<void> => {
    for (const uri of list) await askOne(uri);
  };
  const hosts = Map.groupBy(uris, (uri) => URL.parse(uri)?.host);
  const asked = [...hosts].map(([host, list]) =>
    host === budget.free ? Promise.all(list.map(askOne)) : askInTurn(list),
  );
  await Promise.race([Promise.all(asked), setTimeout(DEADLINE, undefined, { ref: false })]);
  for (const [id, { uri }] of await namedAccounts(ctx.db, [...accounts.keys()])) {
    found.set(uri, accounts.get(id) ?? uri);
  }
  return found;
}
