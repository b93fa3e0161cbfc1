import { expect } from 'chai';
import { account } from '../../commands/accounts/index.ts';
import { relationship } from '../../commands/relationships/index.ts';
import { interaction } from '../../commands/statuses/interaction.ts';
import { status } from '../../commands/statuses/status.ts';
import { accountStream, visibility as visibilities, type Visibility } from '../../src/events/accounts.ts';
import { interactionStream, type InteractionEvent } from '../../src/events/interactions.ts';
import { relationshipStream, type RelationshipEvent } from '../../src/events/relationships.ts';
import { StatusCreated, statusStream, type StatusData, type StatusEvent } from '../../src/events/statuses.ts';
import { remoteAccount } from '../support/remote.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

/** Who looks. All but the stranger and the staff were mentioned or followed once; what came after is in the name. */
export const VIEWERS = [
  ...['anonymous', 'stranger', 'staff', 'follower', 'mentioned'],
  ...['blocked', 'blocking', 'muting', 'domainBlocking'],
] as const;
export type Viewer = (typeof VIEWERS)[number];
/** Whose posts: one of this server, one who was suspended since, one of another server. */
export const AUTHORS = ['author', 'gone', 'far'] as const;
export type Author = (typeof AUTHORS)[number];
/** `boost` is the reblog of the author's post by somebody who sees all of them. */
export const FORMS = ['post', 'reply', 'quote', 'reblog', 'boost'] as const;
export type Form = (typeof FORMS)[number];

export interface Item {
  id: string;
  author: Author;
  visibility: Visibility;
  form: Form;
  /** In the text of this post only. Reblogs have no text. */
  word: string | undefined;
  pollId: string | undefined;
  /** The public answer to it of somebody who sees it. */
  answerId?: string;
}

export interface World {
  server: TestServer;
  items: Item[];
  /** By whom each viewer and author is known. */
  ids: Record<string, string>;
  tokens: Partial<Record<Viewer | 'friend', string>>;
  /** The post that all replies answer, and its author. */
  rootId: string;
  friendId: string;
  /** Lists of their owners with all authors in them. */
  lists: Partial<Record<Viewer, string>>;
}

const DOMAIN = 'far.example';
const PEOPLE = [...VIEWERS.slice(1), 'friend', 'author', 'gone'];
const MENTIONED = ['friend', 'mentioned', 'blocked', 'blocking', 'muting', 'domainBlocking'];
const FOLLOWERS = ['friend', 'follower', 'blocked', 'blocking', 'muting', 'domainBlocking'];

/** Whether a viewer may see a post, said anew: not by the conditions that this is to check. */
export function maySee(viewer: Viewer, { author, visibility, form }: Item): boolean {
  if (author === 'gone' || viewer === 'blocked') return false;
  if (visibility === 'public' || visibility === 'unlisted') return true;
  if (form !== 'reblog' && MENTIONED.includes(viewer)) return true;
  // Blocks of people and of servers ended the other follows.
  const follows = viewer === 'follower' || viewer === 'muting';
  return visibility === 'private' && (follows || (viewer === 'domainBlocking' && author !== 'far'));
}

/** Whether a viewer wants posts of an author in timelines. */
export const wants = (viewer: Viewer, author: Author): boolean =>
  !['blocked', 'blocking', 'muting'].includes(viewer) && !(viewer === 'domainBlocking' && author === 'far');

/** What each viewer favourited and bookmarked while it was there for him. */
export const favouritable = ({ form }: Item): boolean => form === 'post' || form === 'quote';
export const bookmarkable = ({ form }: Item): boolean => form === 'post' || form === 'reply';
export const sawOnce = (viewer: Viewer, { visibility }: Item): boolean =>
  viewer !== 'anonymous' &&
  (visibility === 'public' ||
    visibility === 'unlisted' ||
    MENTIONED.includes(viewer) ||
    (visibility === 'private' && FOLLOWERS.includes(viewer)));

/** Posts of all authors in all forms, what everybody did with them, and what came between the people after that. */
export async function buildWorld(): Promise<World> {
  const server = await startTestServer();
  // Of a context of its own each: one that repeats itself is taken for a retry.
  const context = () => server.app.systemContext('spec');
  const ids: Record<string, string> = {};
  const tokens: Record<string, string> = {};
  for (const name of PEOPLE) {
    const user = await server.user(name, name === 'staff' ? { role: 'Owner' } : {});
    ids[name] = user.id;
    tokens[name] = user.token;
  }
  ids['far'] = await remoteAccount(server.app, 'far', DOMAIN);
  const idOf = (name: string): string => ids[name] ?? '';
  const send = async (name: string, path: string, body: object = {}): Promise<{ id: string }> => {
    const answer = await server.call('POST', `/api/v1/${path}`, { token: tokens[name], body });
    expect(answer.status, `${name} ${path} ${JSON.stringify(answer.body)}`).to.equal(200);
    return answer.body as { id: string };
  };
  const relate = (from: string, to: string, ...types: string[]): Promise<unknown> => {
    const pair = { id: context().newId(), account_id: idOf(from), target_account_id: idOf(to) };
    const events = types.map((type) => ({
      type,
      data: { ...pair, reblogs: true, notify: false, languages: null },
    })) as RelationshipEvent[];
    return context().execute(
      relationshipStream(pair.account_id, pair.target_account_id),
      relationship,
      () => events,
    );
  };
  const follow = (from: string, to: string) => relate(from, to, 'AccountFollowed');

  for (const author of AUTHORS) {
    for (const name of FOLLOWERS) await follow(name, author);
    await follow(author, 'friend');
  }
  await server.settle();

  const lists: World['lists'] = {};
  for (const viewer of ['follower', 'blocked', 'blocking', 'muting', 'domainBlocking'] as const) {
    lists[viewer] = (await send(viewer, 'lists', { title: 'all' })).id;
    await send(viewer, `lists/${lists[viewer]}/accounts`, { account_ids: AUTHORS.map(idOf) });
  }

  const root = await send('friend', 'statuses', { status: 'root' });
  const items: Item[] = [];
  const mentions = MENTIONED.map((name) => `@${name}`).join(' ');
  for (const author of AUTHORS) {
    for (const visibility of visibilities.options) {
      for (const form of ['post', 'reply', 'quote'] as const) {
        const word = `xyzzy${author}${visibility}${form}`;
        const made =
          author === 'far'
            ? await fromAfar(visibility, form, word)
            : await here(author, visibility, form, word);
        items.push({ ...made, author, visibility, form, word });
      }
      if (visibility === 'direct') continue;
      const original = await send('friend', 'statuses', {
        status: `to be reblogged by ${author}, ${visibility}`,
      });
      const reblogId =
        author === 'far'
          ? await reblogFromAfar(original.id, visibility)
          : (await send(author, `statuses/${original.id}/reblog`, { visibility })).id;
      items.push({ id: reblogId, author, visibility, form: 'reblog', word: undefined, pollId: undefined });
    }
  }
  async function here(author: Author, visibility: Visibility, form: Form, word: string) {
    const made = (await send(author, 'statuses', {
      ...{ status: `${word} ${mentions} #matrix`, visibility },
      ...(form === 'reply' ? { in_reply_to_id: root.id } : {}),
      ...(form === 'quote' ? { quoted_status_id: root.id } : {}),
      ...(form === 'post' ? { poll: { options: ['yes', 'no'], expires_in: 3600 } } : {}),
    })) as { id: string; poll: { id: string } | null };
    return { id: made.id, pollId: made.poll?.id };
  }
  async function fromAfar(visibility: Visibility, form: Form, word: string) {
    const id = context().newId();
    const pollId = form === 'post' ? context().newId() : undefined;
    const uri = `https://${DOMAIN}/notes/${id}`;
    const sample = StatusCreated.samples[2] as unknown as StatusData;
    const data: StatusData = {
      ...sample,
      ...{ id, account_id: idOf('far'), local: false, uri, url: uri, created_at: context().now, visibility },
      ...{ text: null, content: `<p>${word}</p>`, tags: [{ name: 'matrix', normal: 'matrix' }] },
      mentions: MENTIONED.map((name) => ({
        ...{ id: idOf(name), username: name, acct: name, url: `https://rookery.example/@${name}` },
      })),
      in_reply_to_id: form === 'reply' ? root.id : null,
      in_reply_to_account_id: form === 'reply' ? idOf('friend') : null,
      conversation_id: form === 'reply' ? root.id : id,
      quote: form === 'quote' ? { id: root.id, account_id: idOf('friend'), state: 'accepted' } : null,
      poll:
        pollId === undefined
          ? null
          : { id: pollId, options: ['yes', 'no'], multiple: false, hide_totals: false, expires_at: null },
    };
    const event: StatusEvent = { type: 'StatusCreated', data };
    await context().execute(statusStream(id), status, () => [event], { isNew: true });
    return { id, pollId };
  }
  async function reblogFromAfar(originalId: string, visibility: Visibility): Promise<string> {
    const id = context().newId();
    const data = {
      ...{ id, account_id: idOf('far'), status_id: originalId, status_account_id: idOf('friend') },
      ...{ uri: `https://${DOMAIN}/notes/${id}`, visibility, created_at: context().now },
      local: false,
    };
    const event: InteractionEvent = { type: 'StatusReblogged', data };
    await context().execute(interactionStream(data.account_id, originalId), interaction, () => [event]);
    return id;
  }
  await server.settle();

  for (const item of items.filter(({ form }) => form === 'post')) {
    const { author, visibility, id } = item;
    item.answerId = (await send('friend', 'statuses', { status: 'an answer', in_reply_to_id: id })).id;
    if (visibility !== 'public' && visibility !== 'unlisted') continue;
    await send('friend', 'statuses', { status: 'a quote', quoted_status_id: id });
    const boost = await send('friend', `statuses/${id}/reblog`);
    items.push({ id: boost.id, author, visibility, form: 'boost', word: item.word, pollId: undefined });
    if (author !== 'far') await send(author, `statuses/${id}/pin`);
  }
  for (const viewer of VIEWERS) {
    const seen = items.filter((item) => sawOnce(viewer, item));
    await Promise.all([
      ...seen.filter(favouritable).map(({ id }) => send(viewer, `statuses/${id}/favourite`)),
      ...seen.filter(bookmarkable).map(({ id }) => send(viewer, `statuses/${id}/bookmark`)),
    ]);
  }
  for (const author of AUTHORS) {
    await send('friend', `accounts/${idOf(author)}/pin`);
    if (author === 'far') continue;
    await send(author, `statuses/${root.id}/favourite`);
    await send(author, `statuses/${root.id}/reblog`);
  }

  // Now people fall out with each other.
  for (const author of AUTHORS) {
    if (author === 'far') {
      await relate('blocked', 'far', 'AccountUnfollowed');
      await relate('far', 'blocked', 'AccountBlocked');
    } else await send(author, `accounts/${idOf('blocked')}/block`);
    await send('blocking', `accounts/${idOf(author)}/block`);
    await send('muting', `accounts/${idOf(author)}/mute`);
  }
  await send('domainBlocking', 'domain_blocks', { domain: DOMAIN });
  const suspended = { type: 'AccountSuspended', data: { account_id: idOf('gone') } } as const;
  await context().execute(accountStream(idOf('gone')), account, () => [suspended]);
  await server.settle();
  return { server, items, ids, tokens, lists, rootId: root.id, friendId: idOf('friend') };
}
