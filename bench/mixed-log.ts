import { randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import { account } from '#commands/accounts/account.ts';
import { decideCreate as decideCreateAccount } from '#commands/accounts/create-account.ts';
import { decideFollow, relationship } from '#commands/relationships/index.ts';
import { decideCreate as decideCreateStatus } from '#commands/statuses/create.ts';
import { decideDelete } from '#commands/statuses/delete.ts';
import { interaction } from '#commands/statuses/interaction.ts';
import { decideFavourite } from '#commands/statuses/mark.ts';
import { decideReblog } from '#commands/statuses/reblog.ts';
import { type Status, status } from '#commands/statuses/status.ts';
import { accountStream, activityStream } from '#events/accounts.ts';
import { interactionStream } from '#events/interactions.ts';
import { relationshipStream } from '#events/relationships.ts';
import { statusStream } from '#events/statuses.ts';
import { idGenerator } from '#kernel/ids.ts';
import type { MentionedAccount } from '#queries/statuses/mentioned.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import { FOLLOW_FACTS, manyAtOnce, newAccount, postingFacts } from './seed.ts';
import { pick, postText, randomNumbers } from './text.ts';

/** Simulated days begin here, so that every run has the same ages. */
const START = Date.parse('2026-01-01T00:00:00.000Z');
/** For each account. */
const EVENTS_A_DAY = 2;
/** Events that are decided and appended side by side; later ones may refer to them. */
const ROUND = 500;
/** Interactions are with one of the newest posts. */
const RECENT = 2_000;

/** The parts of a busy server's log, as shares of its events. Posts are the rest. */
const SHARES = { reblog: 0.15, favourite: 0.2, follow: 0.06, delete: 0.03, visit: 0.06 } as const;

interface Post {
  id: string;
  author: MentionedAccount;
  state: Status;
  conversation_id: string;
}

interface Decided {
  stream: string;
  revision: number;
  events: readonly { type: string; data: unknown }[];
  time: number;
}

/**
 * Appends events in the proportions of a real server: posts, answers, reblogs, favourites, follows, deletes, and
 * visits of readers, two events a day for each account. They are decided by the commands' own decisions.
 */
export class MixedLog {
  readonly #app: App;
  readonly #random = randomNumbers(7);
  readonly #taken = new Set<string>();
  readonly #newId: () => string;
  readonly #accounts: MentionedAccount[] = [];
  #posts: Post[] = [];
  #made = 0;
  #time = START;

  constructor(app: App) {
    this.#app = app;
    this.#newId = idGenerator(() => this.#now());
  }

  /** Appends until the log has about this number of events. */
  async growTo(events: number): Promise<void> {
    const accounts = Math.max(200, Math.floor(events / 100));
    while (this.#accounts.length < accounts)
      await this.#append(
        Array.from({ length: Math.min(ROUND, accounts - this.#accounts.length) }, () => this.#account()),
      );
    while (this.#made < events) {
      const decided = Array.from({ length: Math.min(ROUND, events - this.#made) }, () => this.#next());
      await this.#append(decided.filter((each) => each !== undefined));
      this.#posts = this.#posts.slice(-RECENT);
    }
  }

  /** Milliseconds since 1970, in simulated time. */
  #now(): number {
    return Math.floor(this.#time);
  }

  async #append(all: readonly Decided[]): Promise<void> {
    await manyAtOnce(all.length, async (index) => {
      const { stream, revision, events, time } = all[index] as Decided;
      const metadata = {
        time: new Date(time).toISOString(),
        rule: 'bench',
        command_id: randomUUID(),
        correlation_id: randomUUID(),
      };
      await this.#app.log.append(
        stream,
        revision,
        events.map((event) => ({ id: randomUUID(), ...event, metadata })),
      );
    });
  }

  #decided(stream: string, events: Decided['events'], revision = NO_STREAM): Decided {
    this.#made += events.length;
    this.#time += (events.length * 86_400_000) / (EVENTS_A_DAY * this.#accounts.length);
    return { stream, revision, events, time: this.#now() };
  }

  #account(): Decided {
    const id = this.#newId();
    const username = `person${this.#accounts.length}`;
    const { origin } = this.#app.instance;
    this.#accounts.push({ id, username, acct: username, url: `${origin}/@${username}` });
    const now = new Date(this.#now()).toISOString();
    return this.#decided(
      accountStream(id),
      decideCreateAccount(account.initialState, newAccount(username), { id, now, origin }),
    );
  }

  #next(): Decided | undefined {
    let chance = this.#random();
    for (const [kind, share] of Object.entries(SHARES)) {
      if (chance < share) return this.#of(kind as keyof typeof SHARES);
      chance -= share;
    }
    return this.#post();
  }

  #of(kind: keyof typeof SHARES): Decided | undefined {
    const who = this.#someone();
    if (kind === 'follow') return this.#follow(who);
    if (kind === 'visit') return this.#visit(who);
    const post = this.#storedPost();
    if (!post) return this.#post();
    if (kind === 'delete') return this.#delete(post);
    return this.#interact(kind, who, post);
  }

  /** The posts of this round are not stored yet. */
  #storedPost(): Post | undefined {
    return this.#posts[Math.floor(this.#random() * (this.#posts.length - ROUND))];
  }

  /** A few accounts do most. */
  #someone(): MentionedAccount {
    return this.#accounts[Math.floor(this.#random() ** 2 * this.#accounts.length)] as MentionedAccount;
  }

  #once(stream: string): boolean {
    if (this.#taken.has(stream)) return false;
    this.#taken.add(stream);
    return true;
  }

  #follow(who: MentionedAccount): Decided | undefined {
    const target = this.#someone();
    const stream = relationshipStream(who.id, target.id);
    if (who === target || !this.#once(stream)) return undefined;
    const command = { id: this.#newId(), account_id: who.id, target_account_id: target.id, settings: {} };
    return this.#decided(stream, decideFollow(relationship.initialState, command, FOLLOW_FACTS));
  }

  #visits = new Map<string, { date: string; count: number }>();

  #visit(who: MentionedAccount): Decided | undefined {
    const date = new Date(this.#now()).toISOString().slice(0, 10);
    const before = this.#visits.get(who.id);
    if (before?.date === date) return undefined;
    const count = before?.count ?? 0;
    this.#visits.set(who.id, { date, count: count + 1 });
    const data = { account_id: who.id, date };
    return this.#decided(activityStream(who.id), [{ type: 'UserActive', data }], count - 1);
  }

  #interact(kind: 'reblog' | 'favourite', who: MentionedAccount, post: Post): Decided | undefined {
    // One event for each stream, so that no revision has to be kept.
    const stream = interactionStream(who.id, post.id);
    if (!this.#once(stream)) return undefined;
    const id = this.#newId();
    const target = { account_id: who.id, status_id: post.id, status_account_id: post.author.id };
    if (kind === 'favourite')
      return this.#decided(stream, decideFavourite(interaction.initialState, target, id));
    const command = {
      ...target,
      id,
      local: true,
      now: new Date(this.#now()).toISOString(),
      uri: `${this.#app.instance.origin}/users/${who.username}/statuses/${id}/activity`,
      visibility: 'public' as const,
    };
    return this.#decided(
      stream,
      decideReblog(interaction.initialState, command, { account_id: post.author.id, visibility: 'public' }),
    );
  }

  #delete(post: Post): Decided {
    this.#posts = this.#posts.filter(({ id }) => id !== post.id);
    return this.#decided(statusStream(post.id), decideDelete(post.state, post.author.id), 0);
  }

  #post(): Decided {
    const author = this.#someone();
    const answered = this.#random() < 0.2 ? this.#storedPost() : undefined;
    const mentioned = this.#random() < 0.15 ? pick(this.#accounts, this.#random) : undefined;
    const id = this.#newId();
    const parent = answered
      ? {
          id: answered.id,
          account_id: answered.author.id,
          in_reply_to_account_id: null,
          conversation_id: answered.conversation_id,
        }
      : null;
    const command = {
      id,
      pollId: id,
      media: [],
      now: new Date(this.#now()).toISOString(),
      account: author,
      origin: this.#app.instance.origin,
      application: null,
      input: { status: postText(this.#random, mentioned?.username), in_reply_to_id: answered?.id ?? null },
    };
    const events = decideCreateStatus(command, postingFacts(parent, mentioned));
    const state = events.reduce(status.evolve, status.initialState);
    this.#posts.push({ id, author, state, conversation_id: answered?.conversation_id ?? id });
    return this.#decided(statusStream(id), events);
  }
}
