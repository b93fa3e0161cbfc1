import type { App } from '#app/app.ts';
import { decideMute, relationship } from '#commands/relationships/index.ts';
import { relationshipStream } from '#events/relationships.ts';
import type { MentionedAccount } from '#queries/statuses/mentioned.ts';
import { createAccount, follow, manyAtOnce, post, type Seeded, untilCaughtUp, visit } from './seed.ts';
import { pick, postText, randomNumbers } from './text.ts';

export interface TimelineSize {
  /** Accounts that follow one author, and that others follow or mute. */
  crowd: number;
  /** The number of follows of the reader with many. */
  follows: number;
  mutes: number;
}

export interface SeededTimelines {
  readers: { fewFollows: MentionedAccount; manyFollows: MentionedAccount; manyMutes: MentionedAccount };
  /** Followed by the crowd, who were all there today. */
  star: MentionedAccount;
  lastFollower: MentionedAccount;
  /** Has 200 answers below it. */
  threadId: string;
}

const ANSWERS = 200;

/** Seeds the rows of timelines, besides the seed that all rows share. */
export async function seedTimelines(app: App, seeded: Seeded, size: TimelineSize): Promise<SeededTimelines> {
  const random = randomNumbers(3);
  const crowd = await manyAtOnce(size.crowd, (index) => createAccount(app, `crowd${index}`));
  const create = (username: string): Promise<MentionedAccount> => createAccount(app, username);
  const [fewFollows, manyFollows, manyMutes, star] = [
    await create('few_follows'),
    await create('many_follows'),
    await create('many_mutes'),
    await create('star'),
  ];
  await manyAtOnce(crowd.length, (index) => visit(app, crowd[index]?.id ?? ''));
  await manyAtOnce(crowd.length, (index) => follow(app, crowd[index]?.id ?? '', star.id));

  const followed = seeded.accounts.slice(1, 201);
  const others = crowd.slice(0, size.follows - followed.length);
  for (const [reader, whom] of [
    [fewFollows, followed],
    [manyFollows, [...followed, ...others]],
    [manyMutes, followed],
  ] as const) {
    await visit(app, reader.id);
    await manyAtOnce(whom.length, (index) => follow(app, reader.id, whom[index]?.id ?? ''));
  }
  const muted = crowd.slice(0, size.mutes);
  await manyAtOnce(muted.length, (index) => mute(app, manyMutes.id, muted[index]?.id ?? ''));
  await manyAtOnce(size.follows, () =>
    post(app, pick([...followed, ...others], random), postText(random), null, undefined),
  );
  const threadId = await thread(app, seeded.accounts, random);
  await untilCaughtUp(app);
  await app.projectionDb.query('vacuum analyze');
  return {
    readers: { fewFollows, manyFollows, manyMutes },
    star,
    lastFollower: crowd.at(-1) ?? star,
    threadId,
  };
}

/** Each answers one of those before it. */
async function thread(
  app: App,
  accounts: readonly MentionedAccount[],
  random: () => number,
): Promise<string> {
  const first = pick(accounts, random);
  const conversation_id = await post(app, first, postText(random), null, undefined);
  const posts = [
    { id: conversation_id, account_id: first.id, in_reply_to_account_id: null, conversation_id },
  ];
  while (posts.length <= ANSWERS) {
    const author = pick(accounts, random);
    const id = await post(app, author, postText(random), pick(posts, random), undefined);
    posts.push({ id, account_id: author.id, in_reply_to_account_id: null, conversation_id });
  }
  return conversation_id;
}

async function mute(app: App, accountId: string, targetId: string): Promise<void> {
  const ctx = app.systemContext('bench');
  const command = {
    id: ctx.newId(),
    account_id: accountId,
    target_account_id: targetId,
    notifications: true,
    expires_at: null,
    now: ctx.now,
  };
  await ctx.execute(relationshipStream(accountId, targetId), relationship, (state) =>
    decideMute(state, command),
  );
}
