import { status } from '#commands/statuses/status.ts';
import { type StatusEvent, statusStream } from '#events/statuses.ts';
import type { Notification, Status } from '#mastodon/schemas/index.ts';
import { type Answer, type Client, ok as answered, type Person, type Town } from '../support/people.ts';

/** Interactions of users in these specs. Each waits until all read models contain it. */
export const actsOf = (town: Town) => {
  const ok = async <Json>(answer: Promise<Answer<Json>>): Promise<Json> => {
    const json = await answered(answer);
    await town.waitUntilIdle();
    return json;
  };
  return {
    ok,
    post: (who: Client, body: object): Promise<Status> => ok(who.post<Status>('/api/v1/statuses', body)),
    act: <Json = unknown>(who: Client, path: string, body?: object): Promise<Json> =>
      ok(who.post<Json>(`/api/v1/${path}`, body)),
    follow: (who: Client, whom: Person, body?: object) =>
      ok(who.post(`/api/v1/accounts/${whom.id}/follow`, body)),
    favourite: (who: Client, id: string) => ok(who.post(`/api/v1/statuses/${id}/favourite`)),
    /** Appends an event that no endpoint in these specs causes. */
    happen: async (event: StatusEvent): Promise<void> => {
      await town.app.systemContext('spec').execute(statusStream(event.data.id), status, () => [event]);
      await town.waitUntilIdle();
    },
    list: (who: Client, query = ''): Promise<Notification[]> =>
      ok(who.get<Notification[]>(`/api/v1/notifications?${query}`)),
  };
};

/** `type name` of each notification, in the order of the list. */
export const inShort = (notifications: readonly Notification[]): string[] =>
  notifications.map(({ type, account }) => `${type} ${account.username}`);
