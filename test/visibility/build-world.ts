import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { relationship } from '#commands/relationships/index.ts';
import { interaction } from '#commands/statuses/interaction.ts';
import { status } from '#commands/statuses/status.ts';
import { accountStream, type Visibility, visibility as visibilities } from '#events/accounts.ts';
import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import { type RelationshipEvent, relationshipStream } from '#events/relationships.ts';
import { StatusCreated, type StatusData, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import { remoteAccount } from '../support/remote.ts';
import { startTestServer } from '../support/server.ts';
import {
  AUTHORS,
  bookmarkable,
  favouritable,
  FOLLOWERS,
  type Item,
  MENTIONED,
  PEOPLE,
  sawOnce,
  VIEWERS,
  type World,
} from './world.ts';

const DOMAIN = 'far.example';
const WRITTEN = ['post', 'reply', 'quote'] as const;
type Written = Pick<Item, 'author' | 'visibility'> & { form: (typeof WRITTEN)[number]; word: string };
type Made = Pick<Item, 'id' | 'pollId'>;

/** Acts of people: over HTTP for local users, by events for remote ones. */
interface Acts {
  /** Unique for each event: a repeated id would be taken for a retry. */
  context(): CommandContext;
  idOf(name: string): string;
  send(name: string, path: string, body?: object): Promise<{ id: string }>;
  relate(from: string, to: string, type: RelationshipEvent['type']): Promise<unknown>;
}

/**
 * Creates posts of all authors in all forms, interactions with them, and the blocks, mutes and suspensions
 * that follow.
 */
export async function buildWorld(): Promise<World> {
  const server = await startTestServer();
  const ids: World['ids'] = {};
  const tokens: World['tokens'] = {};
  for (const name of PEOPLE) {
    const user = await server.user(name, name === 'staff' ? { role: 'Owner' } : {});
    ids[name] = user.id;
    tokens[name] = user.token;
    // The default policy filters direct posts of accounts that the reader does not follow.
    const policy = { for_private_mentions: 'accept' };
    await server.call('PATCH', '/api/v2/notifications/policy', { token: user.token, body: policy });
  }
  ids['far'] = await remoteAccount(server.app, 'far', DOMAIN);
  const context = () => server.app.systemContext('spec');
  const idOf = (name: string): string => ids[name] ?? '';
  const acts: Acts = {
    context,
    idOf,
    async send(name, path, body = {}) {
      const answer = await server.call('POST', `/api/v1/${path}`, { token: tokens[name], body });
      expect(answer.status, `${name} ${path} ${JSON.stringify(answer.body)}`).to.equal(200);
      return answer.body as { id: string };
    },
    relate(from, to, type) {
      const pair = { id: context().newId(), account_id: idOf(from), target_account_id: idOf(to) };
      const event = { type, data: { ...pair, reblogs: true, notify: false, languages: null } };
      const stream = relationshipStream(pair.account_id, pair.target_account_id);
      return context().execute(stream, relationship, () => [event as RelationshipEvent]);
    },
  };

  for (const author of AUTHORS) {
    const id = idOf(author);
    const open = { type: 'AccountUpdated', data: { id, indexable: true, discoverable: true } } as const;
    await context().execute(accountStream(id), account, () => [open]);
    for (const name of FOLLOWERS) await acts.relate(name, author, 'AccountFollowed');
    await acts.relate(author, 'friend', 'AccountFollowed');
  }
  await server.waitUntilIdle();
  const lists = await makeLists(acts);
  const { id: rootId } = await acts.send('friend', 'statuses', { status: 'root' });
  const items = await makePosts(acts, rootId);
  await server.waitUntilIdle();
  await letFriendAct(acts, items);
  await letViewersAct(acts, items);
  for (const author of ['author', 'gone']) {
    await acts.send(author, `statuses/${rootId}/favourite`);
    await acts.send(author, `statuses/${rootId}/reblog`);
  }
  await fallOut(acts);
  await server.waitUntilIdle();
  return { server, items, ids, tokens, lists, rootId, friendId: idOf('friend') };
}

async function makeLists({ send, idOf }: Acts): Promise<World['lists']> {
  const lists: World['lists'] = {};
  for (const viewer of ['follower', 'blocked', 'blocking', 'muting', 'domainBlocking'] as const) {
    const { id } = await send(viewer, 'lists', { title: 'all' });
    await send(viewer, `lists/${id}/accounts`, { account_ids: AUTHORS.map(idOf) });
    lists[viewer] = id;
  }
  return lists;
}

async function makePosts(acts: Acts, rootId: string): Promise<Item[]> {
  const items: Item[] = [];
  for (const author of AUTHORS) {
    for (const visibility of visibilities.options) {
      for (const form of WRITTEN) {
        const post: Written = { author, visibility, form, word: `xyzzy${author}${visibility}${form}` };
        const made = await (author === 'far' ? writeFromAfar : write)(acts, post, rootId);
        items.push({ ...post, ...made });
      }
      // There are no direct reblogs.
      if (visibility === 'direct') continue;
      const original = await acts.send('friend', 'statuses', { status: `for ${author}, ${visibility}` });
      const { id } = await (author === 'far'
        ? reblogFromAfar(acts, original.id, visibility)
        : acts.send(author, `statuses/${original.id}/reblog`, { visibility }));
      items.push({ id, author, visibility, form: 'reblog', word: undefined, pollId: undefined });
    }
  }
  return items;
}

async function write(
  { send }: Acts,
  { author, visibility, form, word }: Written,
  rootId: string,
): Promise<Made> {
  const made = (await send(author, 'statuses', {
    status: `${word} ${MENTIONED.map((name) => `@${name}`).join(' ')} #matrix`,
    visibility,
    ...(form === 'reply' ? { in_reply_to_id: rootId } : {}),
    ...(form === 'quote' ? { quoted_status_id: rootId } : {}),
    ...(form === 'post' ? { poll: { options: ['yes', 'no'], expires_in: 3600 } } : {}),
  })) as { id: string; poll: { id: string } | null };
  return { id: made.id, pollId: made.poll?.id };
}

async function writeFromAfar(
  { context, idOf }: Acts,
  { visibility, form, word }: Written,
  rootId: string,
): Promise<Made> {
  const ctx = context();
  const id = ctx.newId();
  const pollId = form === 'post' ? ctx.newId() : undefined;
  const uri = `https://${DOMAIN}/notes/${id}`;
  const mentions = MENTIONED.map((name) => ({
    id: idOf(name),
    username: name,
    acct: name,
    url: `https://rookery.example/@${name}`,
  }));
  const poll = { options: ['yes', 'no'], multiple: false, hide_totals: false, expires_at: null };
  const data: StatusData = {
    ...(StatusCreated.samples[2] as unknown as StatusData),
    id,
    account_id: idOf('far'),
    local: false,
    uri,
    url: uri,
    created_at: ctx.now,
    visibility,
    mentions,
    text: null,
    content: `<p>${word}</p>`,
    tags: [{ name: 'matrix', normal: 'matrix' }],
    conversation_id: id,
    poll: pollId === undefined ? null : { id: pollId, ...poll },
    ...(form === 'reply'
      ? { in_reply_to_id: rootId, in_reply_to_account_id: idOf('friend'), conversation_id: rootId }
      : {}),
    quote: form === 'quote' ? { id: rootId, account_id: idOf('friend'), state: 'accepted' } : null,
  };
  const event: StatusEvent = { type: 'StatusCreated', data };
  await ctx.execute(statusStream(id), status, () => [event], { isNew: true });
  return { id, pollId };
}

async function reblogFromAfar(
  { context, idOf }: Acts,
  originalId: string,
  visibility: Visibility,
): Promise<{ id: string }> {
  const ctx = context();
  const id = ctx.newId();
  const data = {
    id,
    account_id: idOf('far'),
    status_id: originalId,
    status_account_id: idOf('friend'),
    uri: `https://${DOMAIN}/notes/${id}`,
    visibility,
    created_at: ctx.now,
    local: false,
  };
  const event: InteractionEvent = { type: 'StatusReblogged', data };
  await ctx.execute(interactionStream(data.account_id, originalId), interaction, () => [event]);
  return { id };
}

/** Replies publicly to all posts, and reblogs and quotes those that allow it. */
async function letFriendAct({ send, idOf }: Acts, items: Item[]): Promise<void> {
  for (const item of items.filter(({ form }) => form === 'post')) {
    const { author, visibility, id } = item;
    item.answerId = (await send('friend', 'statuses', { status: 'an answer', in_reply_to_id: id })).id;
    if (visibility !== 'public' && visibility !== 'unlisted') continue;
    await send('friend', 'statuses', { status: 'a quote', quoted_status_id: id });
    const boost = await send('friend', `statuses/${id}/reblog`);
    items.push({ id: boost.id, author, visibility, form: 'boost', word: item.word, pollId: undefined });
    if (author !== 'far') await send(author, `statuses/${id}/pin`);
  }
  for (const author of AUTHORS) await send('friend', `accounts/${idOf(author)}/pin`);
}

async function letViewersAct({ send }: Acts, items: readonly Item[]): Promise<void> {
  for (const viewer of VIEWERS) {
    const seen = items.filter((item) => sawOnce(viewer, item));
    await Promise.all([
      ...seen.filter(favouritable).map(({ id }) => send(viewer, `statuses/${id}/favourite`)),
      ...seen.filter(bookmarkable).map(({ id }) => send(viewer, `statuses/${id}/bookmark`)),
    ]);
  }
}

async function fallOut({ send, relate, context, idOf }: Acts): Promise<void> {
  await relate('blocked', 'far', 'AccountUnfollowed');
  await relate('far', 'blocked', 'AccountBlocked');
  for (const author of ['author', 'gone']) await send(author, `accounts/${idOf('blocked')}/block`);
  for (const author of AUTHORS) {
    await send('blocking', `accounts/${idOf(author)}/block`);
    await send('muting', `accounts/${idOf(author)}/mute`);
  }
  await send('domainBlocking', 'domain_blocks', { domain: DOMAIN });
  const suspended = { type: 'AccountSuspended', data: { account_id: idOf('gone') } } as const;
  await context().execute(accountStream(idOf('gone')), account, () => [suspended]);
}
