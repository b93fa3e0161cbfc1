import { rank, RANKING_TURNS } from '#reactors/rankings.ts';
import { TRENDING } from '../texts/lately.ts';
import { MODERATOR } from '../texts/people.ts';
import { forAll, send, type Town } from './town.ts';

/** Approves the hashtag of the count and the posts that many like, so that they are among the trends. */
export async function approveTrends(town: Town): Promise<void> {
  const staff = <Json = unknown>(route: string, act: object = {}): Promise<Json> =>
    send<Json>(town, MODERATOR, route, { ago: 60, ...act });
  const tags = await staff<{ id: string; name: string }[]>('GET /api/v1/admin/tags', {
    query: { limit: 200 },
  });
  const tag = tags.find(({ name }) => name.toLowerCase() === TRENDING.toLowerCase());
  if (!tag) throw new Error(`Nobody uses #${TRENDING}`);
  await staff('PUT /api/v1/admin/tags/:id', {
    params: { id: tag.id },
    body: { display_name: TRENDING, trendable: true },
  });
  // As the timer `rankings` does every five minutes.
  for (const kind of RANKING_TURNS) await rank(town.acting.operator(), kind);
  const popular = await staff<{ id: string }[]>('GET /api/v1/admin/trends/statuses', {
    query: { limit: 12 },
  });
  await forAll(popular, ({ id }) =>
    staff('POST /api/v1/admin/trends/statuses/:id/approve', { params: { id } }),
  );
}

/** Some people react to the announcement. */
export async function reactToNews(town: Town, id: string): Promise<void> {
  for (const [name, emoji] of [
    ['rosa', '🎉'],
    ['henry', '🎉'],
    ['beth', '🎉'],
    ['sam', 'canalfm'],
    ['nils', 'canalfm'],
    ['greta', '🐦'],
    ['kit', 'leek'],
  ] as const) {
    await send(town, name, 'PUT /api/v1/announcements/:id/reactions/:name', {
      ago: 1_000,
      params: { id, name: emoji },
    });
  }
}
