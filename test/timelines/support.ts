import { expect } from 'chai';
import { status } from '#commands/statuses/status.ts';
import type { PreviewCardData } from '#events/preview-card.ts';
import { type StatusData, statusStream } from '#events/statuses.ts';
import { rank } from '#reactors/rankings.ts';
import type { Answer, Client, Person, Town } from '../support/people.ts';
import { picture, uploadForm } from '../support/uploads.ts';

export interface WithId {
  id: string;
}

/** Creates a post of a user. @returns the id */
export async function post(
  person: Client,
  text: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status: code, json } = await person.post<WithId>('/api/v1/statuses', { status: text, ...more });
  if (code !== 200) throw new Error(`Posting answered ${code}: ${JSON.stringify(json)}`);
  return json.id;
}

export const reblog = async (person: Client, id: string): Promise<string> =>
  (await person.post<WithId>(`/api/v1/statuses/${id}/reblog`)).json.id;

export const follow = (
  who: Client,
  whom: Person,
  body: Record<string, unknown> = {},
): Promise<Answer<unknown>> => who.post(`/api/v1/accounts/${whom.id}/follow`, body);

/** Makes a link trend: five users share it, staff approves it, and the users delete their posts. */
export async function makeTrend(town: Town, url: string): Promise<void> {
  const people = await Promise.all(
    ['sharer1', 'sharer2', 'sharer3', 'sharer4', 'sharer5'].map((name) => town.person(name)),
  );
  const ids = await Promise.all(people.map((person) => post(person, 'look')));
  for (const id of ids) await giveCard(town, id, url);
  await town.waitUntilIdle();
  await rank(town.app.systemContext('spec'), 'links');
  const reviewer = await town.staff('trend_reviewer', 'Moderator');
  const { json } = await reviewer.get<WithId[]>('/api/v1/admin/trends/links');
  for (const { id } of json) await reviewer.post(`/api/v1/admin/trends/links/${id}/approve`);
  for (const [index, id] of ids.entries()) await people[index]?.delete(`/api/v1/statuses/${id}`);
}

/** Makes a user's list with these members, whom they follow. @returns the id */
export async function list(
  owner: Client,
  body: Record<string, unknown>,
  members: readonly Person[],
): Promise<string> {
  const { json } = await owner.post<WithId>('/api/v1/lists', { title: 'A list', ...body });
  await owner.post(`/api/v1/lists/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  return json.id;
}

/** The ids of a timeline, after all writes have arrived. */
export async function timeline(town: Town, reader: Client, path: string): Promise<string[]> {
  await town.waitUntilIdle();
  const { status, json } = await reader.get<WithId[]>(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`);
  return json.map(({ id }) => id);
}

/**
 * The ids of a home timeline. A full page and a partial page are read by different statements, and both must
 * agree.
 */
export async function home(town: Town, reader: Client, query = 'limit=40'): Promise<string[]> {
  const parameters = new URLSearchParams(query);
  const read = () => timeline(town, reader, `/api/v1/timelines/home?${parameters.toString()}`);
  const ids = await read();
  if (ids.length > 0) parameters.set('limit', String(ids.length));
  const full = await read();
  expect(full, 'a full page').to.deep.equal(ids);
  return ids;
}

/**
 * Returns the result of `look` while no entry of a reader's home timeline counts as fanned out, so that
 * fan-out on read serves all of it.
 */
export async function whileMerged<T>({ app }: Town, { id }: Person, look: () => Promise<T>): Promise<T> {
  const rename = (from: string, to: string) =>
    app.projectionDb.query('update home_readers set account_id = $2 where account_id = $1', [from, to]);
  await rename(id, `-${id}`);
  try {
    return await look();
  } finally {
    await rename(`-${id}`, id);
  }
}

/** Uploads a picture of a user. @returns its id */
export async function upload(person: Person): Promise<string> {
  const { json } = await person.post<WithId>('/api/v2/media', uploadForm(await picture(64, 64), {}));
  return json.id;
}

/** A post of a remote account, as federation records it. @returns the id */
export async function remotePost(
  { app, waitUntilIdle }: Town,
  authorId: string,
  more: Partial<StatusData>,
): Promise<string> {
  const ctx = app.systemContext('spec');
  const id = ctx.newId();
  const uri = `https://far.example/posts/${id}`;
  const data: StatusData = {
    id,
    account_id: authorId,
    local: false,
    uri,
    url: uri,
    created_at: ctx.now,
    visibility: 'public',
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    conversation_id: id,
    quote: null,
    quote_policy: 'public',
    application: null,
    text: null,
    content: '<p>from afar</p>',
    spoiler_text: '',
    sensitive: false,
    language: null,
    mentions: [],
    tags: [],
    media: [],
    poll: null,
    ...more,
  };
  await ctx.execute(statusStream(id), status, () => [{ type: 'StatusCreated' as const, data }]);
  await waitUntilIdle();
  return id;
}

/** Gives a post a preview card of a link, as the reactor does. */
export async function giveCard({ app, waitUntilIdle }: Town, id: string, url: string): Promise<void> {
  const ctx = app.systemContext('spec');
  const card: PreviewCardData = {
    url,
    type: 'link',
    title: 'A page',
    description: '',
    language: null,
    author_name: '',
    author_url: '',
    provider_name: '',
    provider_url: '',
    html: '',
    width: 0,
    height: 0,
    embed_url: '',
    image: null,
    image_description: '',
    blurhash: null,
    published_at: null,
  };
  await ctx.execute(statusStream(id), status, (state) =>
    state.state === 'visible'
      ? [{ type: 'PreviewCardAttached' as const, data: { id, account_id: state.data.account_id, card } }]
      : [],
  );
  await waitUntilIdle();
}
