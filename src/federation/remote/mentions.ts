import { setTimeout } from 'node:timers/promises';
import {
  knownMentions,
  namedAccounts,
  unknownAccounts,
  type KnownMention,
} from '../../../queries/federation/index.ts';
import type { CommandContext } from '../../kernel/context.ts';

/** Accounts that one post may make known. */
const MAX_ASKED = 10;
/** Milliseconds. A mention whose server takes longer is left out, and its account is known the next time. */
const DEADLINE = 8_000;

/**
 * Returns the accounts that a post mentions, each named by its id or by the address of its profile. Accounts that are not known here are
 * asked for, so that a reply reaches them. A mention whose account cannot be had is left out.
 */
export async function mentionedAccounts(
  ctx: CommandContext,
  uris: readonly string[],
): Promise<KnownMention[]> {
  const ours = `${ctx.instance.origin}/`;
  const unknown = await unknownAccounts(
    ctx.db,
    uris.filter((uri) => !uri.startsWith(ours)),
  );
  const found = await ask(ctx, unknown.slice(0, MAX_ASKED));
  return knownMentions(ctx.db, [...uris, ...found]);
}

/** Returns the ids of the accounts that these addresses lead to. */
async function ask(ctx: CommandContext, uris: readonly string[]): Promise<string[]> {
  if (uris.length === 0) return [];
  const { resolver } = ctx.services;
  const asked = Promise.all(uris.map((uri) => resolver.identify(uri)));
  const identified = (await Promise.race([asked, setTimeout(DEADLINE, [], { ref: false })])) ?? [];
  const ids = identified.flatMap((one) => one?.account ?? []);
  return [...(await namedAccounts(ctx.db, ids)).values()].map(({ uri }) => uri);
}
