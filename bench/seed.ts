import type { App } from '#app/app.ts';
import { account } from '#commands/accounts/account.ts';
import { decideCreate as decideCreateAccount } from '#commands/accounts/create-account.ts';
import { reserveEmail, reserveUsername } from '#commands/accounts/reservations.ts';
import { decideFollow, relationship } from '#commands/relationships/index.ts';
import { decideCreate as decideCreateStatus } from '#commands/statuses/create.ts';
import { status } from '#commands/statuses/status.ts';
import { accountStream, activityStream, type UserActive } from '#events/accounts.ts';
import { relationshipStream } from '#events/relationships.ts';
import { statusStream } from '#events/statuses.ts';
import type { Decider } from '#kernel/decider.ts';
import type { EventOf } from '#kernel/event.ts';
import { HOME, MAIN, NOTIFICATIONS, SEARCH } from '#kernel/projection.ts';
import type { MentionedAccount } from '#queries/statuses/mentioned.ts';
import type { PostingFacts } from '#queries/statuses/posting-facts.ts';
import { seedNotifications } from './seed-notifications.ts';
import { pick, postText, randomNumbers } from './text.ts';

export interface SeedSize {
  accounts: number;
  follows: number;
  statuses: number;
}

export interface Seeded {
  /** Follows `follows` of the accounts. */
  reader: MentionedAccount;
  accounts: MentionedAccount[];
  /** A public status by an account that the reader follows. */
  statusId: string;
}

/** Commands under way at once: enough that appends share commits. */
const AT_ONCE = 256;
/** Seconds that the read models may take. */
const PATIENCE = 600;

/**
 * Fills a server through the command path, beside the running process whose projector follows. Accounts get no
 * password: hashing a thousand would only measure scrypt.
 */
export async function seed(app: App, size: SeedSize): Promise<Seeded> {
  const random = randomNumbers(1);
  const accounts = await manyAtOnce(size.accounts, (index) => createAccount(app, `user${index}`));
  const [reader] = accounts;
  if (!reader) throw new Error('There has to be an account');
  const followed = accounts.slice(1, 1 + size.follows);
  // These use the server, so their home timelines are written.
  await manyAtOnce(Math.min(33, accounts.length), (index) => visit(app, accounts[index]?.id ?? ''));
  await manyAtOnce(followed.length, (index) => follow(app, reader.id, followed[index]?.id ?? ''));

  const recent: NonNullable<PostingFacts['parent']>[] = [];
  let statusId = '';
  await manyAtOnce(size.statuses, async () => {
    const author = pick(random() < 0.5 ? followed : accounts, random);
    const parent = recent.length > 0 && random() < 0.2 ? pick(recent, random) : null;
    const mentioned = random() < 0.15 ? pick(accounts, random) : undefined;
    const id = await post(app, author, postText(random, mentioned?.username), parent, mentioned);
    const conversation_id = parent?.conversation_id ?? id;
    recent.push({ id, account_id: author.id, in_reply_to_account_id: null, conversation_id });
    if (recent.length > 500) recent.shift();
    if (followed.includes(author)) statusId = id;
  });
  await seedNotifications(app, {
    readerId: reader.id,
    accountIds: followed.map(({ id }) => id),
    post: () => post(app, reader, postText(random), null, undefined),
    mention: () => post(app, pick(followed, random), postText(random, reader.username), null, reader),
  });
  await untilCaughtUp(app);
  // As autovacuum does on a server that runs for longer.
  await app.projectionDb.query('vacuum analyze');
  return { reader, accounts, statusId };
}

/** Waits until the server's read models hold all that is in the log. */
export async function untilCaughtUp({ log, checkpoints }: App): Promise<void> {
  const head = await log.head();
  for (const group of [MAIN, HOME, NOTIFICATIONS, SEARCH]) {
    if (!(await checkpoints.reached(group, head, PATIENCE * 1_000)))
      throw new Error(`${group} does not catch up`);
  }
}

/** Calls `work` with 0 to `count` - 1, many at once. @returns what it gives, in order */
export async function manyAtOnce<T>(
  count: number,
  work: (index: number) => Promise<T>,
  atOnce = AT_ONCE,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return results;
}

/** Returns a sign-up by this name. Without a password: hashing a thousand would only measure scrypt. */
export const newAccount = (username: string, password = '') => ({
  username,
  email: `${username}@example.org`,
  password,
  locale: 'en',
  confirmed: true,
  approved: true,
  role: null,
  reason: null,
  applicationId: null,
  signUpIp: null,
});

/** The followed account is local and open, and nothing is near a limit. */
export const FOLLOW_FACTS = {
  target: { suspended: false, moved: false, locked: false, local: true, domain_blocked: false },
  following: 0,
  followers: 0,
};

export async function createAccount(app: App, username: string): Promise<MentionedAccount> {
  const ctx = app.systemContext('bench');
  const { origin } = app.instance;
  const id = ctx.newId();
  const command = newAccount(username);
  await reserveEmail(ctx, command.email, id);
  await reserveUsername(ctx, username, id);
  await ctx.execute(
    accountStream(id),
    account,
    (state) => decideCreateAccount(state, command, { id, now: ctx.now, origin }),
    { isNew: true },
  );
  return { id, username, acct: username, url: `${origin}/@${username}` };
}

const visits: Decider<null, EventOf<typeof UserActive>> = { initialState: null, evolve: () => null };

export async function visit(app: App, accountId: string): Promise<void> {
  const ctx = app.systemContext('bench');
  const data = { account_id: accountId, date: ctx.now.slice(0, 10) };
  await ctx.execute(activityStream(accountId), visits, () => [{ type: 'UserActive' as const, data }]);
}

export async function follow(app: App, accountId: string, targetId: string): Promise<void> {
  const ctx = app.systemContext('bench');
  const command = { id: ctx.newId(), account_id: accountId, target_account_id: targetId, settings: {} };
  await ctx.execute(relationshipStream(accountId, targetId), relationship, (state) =>
    decideFollow(state, command, FOLLOW_FACTS),
  );
}

/** The facts about a public post in English. */
export const postingFacts = (
  parent: PostingFacts['parent'],
  mentioned: MentionedAccount | undefined,
): PostingFacts => ({
  defaults: { privacy: 'public', sensitive: false, language: 'en', quote_policy: 'public' },
  application: null,
  parent,
  quoted: null,
  mentioned: new Map(mentioned ? [[mentioned.username, mentioned]] : []),
  unknown: [],
});

export async function post(
  app: App,
  author: MentionedAccount,
  text: string,
  parent: PostingFacts['parent'],
  mentioned: MentionedAccount | undefined,
): Promise<string> {
  const ctx = app.systemContext('bench');
  const id = ctx.newId();
  const facts = postingFacts(parent, mentioned);
  const command = {
    id,
    pollId: id,
    media: [],
    now: ctx.now,
    account: author,
    origin: app.instance.origin,
    application: null,
    input: { status: text, in_reply_to_id: parent?.id ?? null },
  };
  await ctx.execute(statusStream(id), status, () => decideCreateStatus(command, facts), { isNew: true });
  return id;
}
