import { randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import { createAccount } from '#commands/accounts/index.ts';
import { accountStream, activityStream, emptyProfile } from '#events/accounts.ts';
import { interactionStream } from '#events/interactions.ts';
import { relationshipStream } from '#events/relationships.ts';
import { ReportFiled, reportStream } from '#events/reports.ts';
import { StatusCreated, statusStream } from '#events/statuses.ts';
import { tagStream } from '#events/tags.ts';
import { type CommandContext, Context } from '#kernel/context.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { idAt } from '#kernel/ids.ts';

/** Records events on past days, given as dates in UTC. */
export interface Past {
  user(username: string, day: string, email: string): Promise<string>;
  active(accountId: string, day: string): Promise<void>;
  /** Returns the id. */
  remote(username: string, domain: string, day: string): Promise<string>;
  post(accountId: string, day: string, more?: object): Promise<string>;
  favourite(accountId: string, statusId: string, authorId: string, day: string): Promise<void>;
  reblog(accountId: string, statusId: string, authorId: string, day: string): Promise<void>;
  follow(accountId: string, targetId: string, day: string): Promise<void>;
  report(accountId: string, targetId: string, day: string): Promise<string>;
  resolve(reportId: string, staffId: string, day: string): Promise<void>;
  review(tag: string): Promise<void>;
}

/** Appends events with ids and times of the given days. */
export function pastOf(app: App): Past {
  let drawn = 0n;
  const idOn = (day: string): string => String(BigInt(idAt(Date.parse(`${day}T12:00:00Z`))) + (drawn += 1n));
  const on = (day: string): CommandContext =>
    new Context(app.contextDependencies, {
      requestId: randomUUID(),
      ip: '',
      locale: undefined,
      rule: 'spec',
      identity: { commandId: randomUUID(), firstId: idOn(day), now: `${day}T12:00:00.000Z`, repeated: false },
    });
  const happen = async (stream: string, day: string, event: DomainEvent): Promise<void> => {
    await on(day).execute(stream, { initialState: null, evolve: () => null }, () => [event]);
  };

  return {
    user: (username, day, email) =>
      createAccount(on(day), {
        username,
        email,
        password: 'correct horse',
        locale: 'en',
        reason: null,
        role: null,
        confirmed: true,
        approved: true,
        applicationId: null,
        signUpIp: null,
      }),
    active: (account_id, day) =>
      happen(activityStream(account_id), day, { type: 'UserActive', data: { account_id, date: day } }),
    async remote(username, domain, day) {
      const id = idOn(day);
      const uri = `https://${domain}/users/${username}`;
      const account = { id, username, domain, uri, url: uri, created_at: '2020-01-01T00:00:00.000Z' };
      await happen(accountStream(id), day, { type: 'AccountCreated', data: { ...account, ...emptyProfile } });
      return id;
    },
    async post(account_id, day, more = {}) {
      const id = idOn(day);
      const data = {
        ...StatusCreated.samples[2],
        id,
        account_id,
        conversation_id: id,
        created_at: `${day}T12:00:00.000Z`,
        poll: null,
        tags: [],
        uri: `https://rookery.example/${id}`,
        url: null,
        ...more,
      };
      await happen(statusStream(id), day, { type: 'StatusCreated', data });
      return id;
    },
    favourite: (account_id, status_id, status_account_id, day) =>
      happen(interactionStream(account_id, status_id), day, {
        type: 'StatusFavourited',
        data: { id: idOn(day), account_id, status_id, status_account_id },
      }),
    reblog(account_id, status_id, status_account_id, day) {
      const id = idOn(day);
      return happen(interactionStream(account_id, status_id), day, {
        type: 'StatusReblogged',
        data: {
          id,
          account_id,
          status_id,
          status_account_id,
          visibility: 'public',
          local: true,
          created_at: `${day}T12:00:00.000Z`,
          uri: `https://rookery.example/${id}`,
        },
      });
    },
    follow: (account_id, target_account_id, day) =>
      happen(relationshipStream(account_id, target_account_id), day, {
        type: 'AccountFollowed',
        data: { id: idOn(day), account_id, target_account_id, reblogs: true, notify: false, languages: null },
      }),
    async report(account_id, target_account_id, day) {
      const id = idOn(day);
      const data = { ...ReportFiled.samples[1], id, account_id, target_account_id, statuses: [] };
      await happen(reportStream(id), day, { type: 'ReportFiled', data });
      return id;
    },
    resolve: (id, account_id, day) =>
      happen(reportStream(id), day, { type: 'ReportResolved', data: { id, account_id } }),
    review: (tag) =>
      happen(tagStream(tag), '2026-03-01', { type: 'TagReviewed', data: { tag, trendable: true } }),
  };
}
