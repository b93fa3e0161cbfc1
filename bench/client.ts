import type { Load } from './load.ts';
import { manyAtOnce } from './seed.ts';

/** Calls the API. @throws for any answer that is not 2xx */
export async function call(url: string, token?: string, body?: unknown): Promise<string> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`);
  return text;
}

interface WithId {
  id: string;
}

/** Reads all acknowledged posts as their authors. @throws when one cannot be read */
export async function expectReadable(
  url: string,
  tokens: readonly string[],
  posted: Load['posted'],
): Promise<void> {
  for (const [author, token] of tokens.entries()) {
    const ids = posted.filter((post) => post.author === author).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += 20) {
      const page = ids.slice(from, from + 20);
      const query = page.map((id) => `id[]=${id}`).join('&');
      const found = JSON.parse(await call(`${url}/api/v1/statuses?${query}`, token)) as WithId[];
      if (found.length !== page.length)
        throw new Error(`Of ${page.length} acknowledged posts ${found.length} are there`);
    }
  }
}

/** Posts and reads the home timeline at once, several authors beside each other. @throws when a post is not in it */
export async function expectAtHomeAtOnce(
  url: string,
  tokens: readonly string[],
  times: number,
): Promise<void> {
  await manyAtOnce(
    times,
    async (index) => {
      const token = tokens[index % tokens.length];
      const { id } = JSON.parse(
        await call(`${url}/api/v1/statuses`, token, { status: `Sample ${index}` }),
      ) as WithId;
      const home = JSON.parse(await call(`${url}/api/v1/timelines/home`, token)) as WithId[];
      if (!home.some((status) => status.id === id))
        throw new Error(`Post ${id} is not in its author's home timeline`);
    },
    8,
  );
}
