import { setTimeout } from 'node:timers/promises';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { accountsOfHandles, type NamedAccounts } from '#queries/statuses/index.ts';

/** The accounts that the handles of a text name, after other servers were asked. */
export interface Named extends NamedAccounts {
  /** Those of `unknown` whose servers have not answered yet. */
  awaited: readonly string[];
}

/** The maximum of handles that are asked for one text. */
const MAX_ASKED = 10;
/** Milliseconds for all of them. Requests that take longer go on, so a later attempt finds their accounts. */
const DEADLINE = 3_000;
/** Concurrent requests to one host. */
const AT_ONCE = 2;

/**
 * Asks other servers for the handles that no known account has, side by side, and returns all accounts again.
 * Call it after everything that needs no request was checked. `check` is called before the first request; what
 * it throws ends the work.
 */
export async function meetNamed(
  ctx: CommandContext,
  handles: readonly string[],
  { known, by, isPost = true, check }: Meeting,
): Promise<Named> {
  const asked = known.unknown.filter((handle) => isFar(handle, ctx.instance)).slice(0, MAX_ASKED);
  if (asked.length === 0) return { ...known, awaited: [] };
  await check?.();
  const answers = await answersFor(ctx, asked, by);
  const aliases = new Map([...answers].flatMap(([handle, id]) => (id === undefined ? [] : [[handle, id]])));
  const found = await accountsOfHandles(ctx.db, ctx.instance, handles, {
    ...(isPost ? { authorId: by } : {}),
    aliases,
  });
  const unknown = new Set(found.unknown);
  return { ...found, awaited: asked.filter((handle) => unknown.has(handle) && !answers.has(handle)) };
}

interface Meeting {
  /** The accounts that are known already. */
  known: NamedAccounts;
  /** The user who wrote the text. */
  by: Id;
  /** False for texts that may name any account. */
  isPost?: boolean;
  check?: () => void | Promise<void>;
}

/** Returns the account of each handle whose server answered; undefined where there is none. */
async function answersFor(
  { services }: CommandContext,
  handles: readonly string[],
  by: Id,
): Promise<Map<string, Id | undefined>> {
  const answers = new Map<string, Id | undefined>();
  const askInTurn = async (waiting: string[]): Promise<void> => {
    for (let handle = waiting.shift(); handle !== undefined; handle = waiting.shift()) {
      const answer = await services.resolver.meet(handle, by);
      if (answer.outcome === 'done') answers.set(handle, answer.account);
    }
  };
  const lanes = [...Map.groupBy(handles, domainIn).values()].flatMap((waiting) =>
    Array.from({ length: AT_ONCE }, () => askInTurn(waiting)),
  );
  await Promise.race([Promise.all(lanes), setTimeout(DEADLINE, undefined, { ref: false })]);
  // Later answers are not part of this decision.
  return new Map(answers);
}

const domainIn = (handle: string): string => handle.slice(handle.indexOf('@') + 1);

/** Returns true for a handle at another host that may exist: it has a dot or, in development, a port. */
function isFar(handle: string, { domain, origin }: Instance): boolean {
  if (!handle.includes('@')) return false;
  const host = domainIn(handle);
  const [name = '', port] = host.split(/:(?=[0-9]+$)/);
  const isOurs = host === domain.toLowerCase() || host === new URL(origin).host;
  return !isOurs && (port !== undefined || name.includes('.')) && canonicalDomain(name) !== undefined;
}
