import { hash } from 'node:crypto';
import { useCase } from '#commands/use-case.ts';
import { type AccountEvent, accountStream, type Profile } from '#events/accounts.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { plainText } from '#mastodon/html.ts';
import { type Account, account, type ExistingAccount } from '../account.ts';

type Field = Profile['fields'][number];

/** The job that checks whether a page links back. */
export const VERIFY_LINK = 'link-verification';

/** Names a link by its digest, so that the user's text is stored only where an erasure reaches it. */
export interface LinkJob {
  account_id: Id;
  link: string;
  /** Failed fetches of the page. */
  failures: number;
}

/** Seconds until an unavailable page is fetched again: four times. */
const AGAIN_AFTER = [60, 600, 3_600, 21_600];
/**
 * Seconds until a page is fetched after its profile was saved unchanged; saving more often causes one fetch.
 */
const PAUSE = 10;

/**
 * Seconds over which fetches for a remote account are spread: many servers learn of a change at the same
 * time.
 */
const SPREAD = 600;

/** Returns the public address of the account, which the page must link to. */
const profileUrl = ({ username, domain, url }: ExistingAccount, { origin }: Instance): string =>
  domain === null ? `${origin}/@${username}` : url;

/**
 * Returns the links among the fields of an account that are not verified and may be, each once. The text of the field is the
 * address that is asked, to the letter: none hides where it leads (CVE-2023-36462), by a name before an `@` or a host that is
 * spelled otherwise. Links by http count only where this server is reached by http. Pure.
 */
export function linksToVerify(state: Account, instance: Instance): string[] {
  if (state.state !== 'exists' || state.suspended || state.suspendedThere || state.gone) return [];
  const own = profileUrl(state, instance);
  const values = state.profile.fields
    .filter((field) => field.verified_at === null && (state.domain === null || isOneLink(field)))
    .map(({ value }) => value);
  return [...new Set(values)].filter((value) => value !== own && isPlainLink(value, instance));
}

/** Tells whether the HTML of a field is one link to the address that it shows. */
function isOneLink({ value, html }: Field): boolean {
  const [, href] = /^<a\s[^<>]*?\bhref="([^"]*)"[^<>]*>(?:(?!<\/?a\b)[^])*<\/a>$/.exec(html) ?? [];
  return href !== undefined && plainText(href) === value;
}

function isPlainLink(value: string, { origin }: Instance): boolean {
  const url = URL.parse(value);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && origin.startsWith('http:'));
  if (!url || !isAllowed || url.username !== '' || url.password !== '') return false;
  return url.href === value || url.href === `${value}/`;
}

/** Queues a check of each unverified link of an account. */
export const askForLinks = async (ctx: CommandContext, accountId: Id): Promise<void> =>
  enqueue(ctx, await ctx.load(accountStream(accountId), account), 0);

/** Does the same a little later, for a loaded account. */
export const lookAgain = (ctx: CommandContext, state: Account): Promise<void> => enqueue(ctx, state, PAUSE);

/**
 * Returns the link of a job, and the address that its page must link to; undefined when it was removed or
 * verified.
 */
export async function linkToVerify(
  ctx: CommandContext,
  { account_id, link }: LinkJob,
): Promise<{ value: string; profileUrl: string } | undefined> {
  const state = await ctx.load(accountStream(account_id), account);
  const value = linksToVerify(state, ctx.instance).find((each) => digestOf(each) === link);
  if (value === undefined || state.state !== 'exists') return undefined;
  return { value, profileUrl: profileUrl(state, ctx.instance) };
}

/** Queues another fetch of an unavailable page, unless there were enough. */
export async function askLater({ services }: CommandContext, job: LinkJob): Promise<void> {
  const after = AGAIN_AFTER[job.failures];
  if (after === undefined) return;
  // Has a name of its own, so that saving the profile meanwhile does not wait as long.
  const singletonKey = `${job.account_id}:${job.link}:again`;
  await services.jobs.enqueue(VERIFY_LINK, { ...job, failures: job.failures + 1 }, { singletonKey, after });
}

/** Records that the page of a link links back. */
export const verifyLink = useCase({
  prepare: ({ now, instance }, { accountId, value }: { accountId: Id; value: string }) => ({
    accountId,
    value,
    now,
    instance,
  }),
  stream: ({ accountId }) => accountStream(accountId),
  decider: account,
  decide: (state, { value, now, instance }) => decideVerify(state, value, now, instance),
});

/** Decides nothing when the link has changed meanwhile. Pure. */
export function decideVerify(
  state: Account,
  value: string,
  verified_at: string,
  instance: Instance,
): AccountEvent[] {
  if (state.state !== 'exists' || !linksToVerify(state, instance).includes(value)) return [];
  return [{ type: 'AccountLinkVerified', data: { account_id: state.id, value, verified_at } }];
}

async function enqueue({ instance, services }: CommandContext, state: Account, after: number): Promise<void> {
  if (state.state !== 'exists') return;
  const links = linksToVerify(state, instance).map(digestOf);
  await Promise.all(
    links.map(async (link) => {
      const job: LinkJob = { account_id: state.id, link, failures: 0 };
      const startsAfter = state.domain === null ? after : parseInt(link.slice(0, 8), 16) % SPREAD;
      const options = { singletonKey: `${state.id}:${link}`, after: startsAfter };
      await services.jobs.enqueue(VERIFY_LINK, { ...job }, options);
    }),
  );
}

const digestOf = (value: string): string => hash('sha256', value);
