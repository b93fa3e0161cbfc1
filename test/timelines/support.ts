import type { Answer, Client, Person, Town } from '../support/people.ts';

export interface WithId {
  id: string;
}

/** Posts as somebody. @returns the id */
export async function post(
  person: Client,
  status: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status: code, json } = await person.post<WithId>('/api/v1/statuses', { status, ...more });
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

/** A list of somebody with these members, whom he follows. @returns the id */
export async function list(
  owner: Client,
  body: Record<string, unknown>,
  members: readonly Person[],
): Promise<string> {
  const { json } = await owner.post<WithId>('/api/v1/lists', { title: 'A list', ...body });
  await owner.post(`/api/v1/lists/${json.id}/accounts`, { account_ids: members.map(({ id }) => id) });
  return json.id;
}

/** The ids of a timeline, once everything that was written has arrived. */
export async function timeline(town: Town, reader: Client, path: string): Promise<string[]> {
  await town.settle();
  const { status, json } = await reader.get<WithId[]>(path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(json)}`);
  return json.map(({ id }) => id);
}

export const home = (town: Town, reader: Client, query = 'limit=40'): Promise<string[]> =>
  timeline(town, reader, `/api/v1/timelines/home?${query}`);

/** What `look` finds while nothing of a reader's home timeline counts as written, so that all of it is merged. */
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
