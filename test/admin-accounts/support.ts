import { type Client, ok, type Person } from '../support/people.ts';

/** Moderation over the API. Every call must succeed. */
export const moderationBy = (staff: Client) => ({
  act: (on: Pick<Person, 'id'>, type: string, more: object = {}): Promise<unknown> =>
    ok(staff.post(`/api/v1/admin/accounts/${on.id}/action`, { type, ...more })),
  /** Calls `unsuspend`, `approve` and so on. Returns the account as staff see it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  does: (on: Pick<Person, 'id'>, what: string): Promise<any> =>
    ok(staff.post(`/api/v1/admin/accounts/${on.id}/${what}`)),
});
