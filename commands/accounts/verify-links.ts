import { hash } from 'node:crypto';
import { accountStream, type AccountEvent, type Profile } from '../../src/events/accounts.ts';
import type { CommandContext, Instance } from '../../src/kernel/context.ts';
import { plainText } from '../../src/mastodon/html.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { account, type Account, type ExistingAccount } from './account.ts';

type Field = Profile['fields'][number];

/** The job that asks a page whether it links back. */
export const VERIFY_LINK = 'link-verification';

/** A link is named by its digest: the user's text is stored nowhere that an erasure does not reach. */
export interface LinkJob {
  account_id: Id;
  link: string;
  /** How often the page could not be had. */
  failures: number;
}

/** Seconds after which a page that could not be had is asked again: four times. */
const AGAIN_AFTER = [60, 600, 3_600, 21_600];
/** Seconds until a page is asked on account of a profile that was saved as it is; saving more often asks it once. */
const PAUSE = 10;

/** Seconds within which the pages of an account of another server are asked: many servers learn of a change at once. */
const SPREAD = 600;

/** Returns the address that the page of a link must link to: that of the account as others see it. */
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

/** Has each link of an account looked at that is not verified. */
export const askForLinks = async (ctx: CommandContext, accountId: Id): Promise<void> =>
  enqueue(ctx, await ctx.load(accountStream(accountId), account), 0);

/** The same a little later, for an account that is known. */
export const lookAgain = (ctx: CommandContext, state: Account): Promise<void> => enqueue(ctx, state, PAUSE);

/** The link that a job names, and what its page must link to; undefined where it is gone, or verified. */
export async function linkToVerify(
  ctx: CommandContext,
  { account_id, link }: LinkJob,
): Promise<{ value: string; profileUrl: string } | undefined> {
  const state = await ctx.load(accountStream(account_id), account);
  const value = linksToVerify(state, ctx.instance).find((each) => digestOf(each) === link);
  if (value === undefined || state.state !== 'exists') return undefined;
  return { value, profileUrl: profileUrl(state, ctx.instance) };
}

/** The page could not be had: once more, later, unless it was asked often enough. */
export async function askLater({ services }: CommandContext, job: LinkJob): Promise<void> {
  const after = AGAIN_AFTER[job.failures];
  if (after === undefined) return;
  // By a name of its own, so that one who saves the profile meanwhile need not wait as long.
  const singletonKey = `${job.account_id}:${job.link}:again`;
  await services.jobs.enqueue(VERIFY_LINK, { ...job, failures: job.failures + 1 }, { singletonKey, after });
}

/** The page of a link was found to link back. */
export async function verifyLink(ctx: CommandContext, accountId: Id, value: string): Promise<void> {
  const { now, instance } = ctx;
  await ctx.execute(accountStream(accountId), account, (state) => decideVerify(state, value, now, instance));
}

/** Nothing where the link was changed meanwhile. Pure. */
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
