import { PersonalDataErased } from '#events/erasure.ts';
import {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
  StatusFavourited,
  StatusReblogged,
} from '#events/interactions.ts';
import {
  InteractionPolicyChanged,
  ReplyRequested,
  ReplyRequestEnded,
  StatusCreated,
  StatusDeleted,
} from '#events/statuses.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import { deleteRowsOf, type Handler, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import {
  type Authorized,
  changePolicies,
  forgetPolicies,
  forgetRequests,
  keepAuthorizations,
  keepRequests,
} from './rows.ts';

const byId = ({ data }: { data: { id: string } }): string[] => [data.id];
const idsOf = (events: readonly { data: { id: string } }[]): string[] => events.map(({ data }) => data.id);

const ends: Handler<RecordedEvent<string, { id: string }>> = {
  keys: byId,
  apply: (events, db) => forgetRequests(idsOf(events), db),
};
/** Most events have no authorization and need no statement. */
const approves: Handler<RecordedEvent<string, Authorized>> = {
  keys: byId,
  apply: (events, db) =>
    keepAuthorizations(
      events.map(({ data }) => data),
      db,
    ),
};

/**
 * The interaction policies of remote posts, the interactions of local users that wait for approval, and the
 * authorizations of replies, favourites and reblogs.
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */
export const interactionPolicies: Projection = {
  name: 'interaction-policies',
  version: 2,
  group: MAIN,
  tables: {
    interaction_policies: `
      status_id bigint primary key,
      policy text not null`,
    /** By the id of the reply, reblog or favourite. */
    interaction_requests: `
      id bigint primary key,
      kind text not null,
      account_id bigint not null,
      status_id bigint not null,
      status_account_id bigint not null,
      polite boolean not null,
      visibility text,
      mentioned bigint[] not null,
      tags text[] not null`,
    interaction_authorizations: `
      id bigint primary key,
      account_id bigint not null,
      uri text not null,
      author_uri text`,
  },
  indexes: ['create index interaction_authorizations_uri on interaction_authorizations using hash (uri)'],
  handlers: [
    on(StatusCreated, {
      keys: byId,
      apply: async (events, db) => {
        await changePolicies(
          events.flatMap(({ data: { id, interaction_policy: policy } }) =>
            policy === undefined ? [] : [{ id, interaction_policy: policy }],
          ),
          db,
        );
        await keepAuthorizations(
          events.map(({ data }) => ({
            id: data.id,
            account_id: data.account_id,
            authorization: data.reply_authorization,
            author_uri: data.reply_authorized_by,
          })),
          db,
        );
      },
    }),
    on(InteractionPolicyChanged, {
      keys: byId,
      apply: (events, db) =>
        changePolicies(
          events.map(({ data }) => data),
          db,
        ),
    }),
    on(StatusDeleted, { keys: byId, apply: (events, db) => forgetPolicies(idsOf(events), db) }),
    on(ReplyRequested, {
      keys: byId,
      apply: (events, db) =>
        keepRequests(
          events.map(({ data }) => ({
            id: data.id,
            kind: 'reply',
            account_id: data.account_id,
            polite: data.polite,
            status_id: data.in_reply_to_id ?? data.id,
            status_account_id: data.asked_account_id,
            visibility: data.visibility,
            mentioned: data.mentions.map(({ id }) => id),
            tags: data.tags.map(({ normal }) => normal),
          })),
          db,
        ),
    }),
    on(ReblogRequested, {
      keys: byId,
      apply: (events, db) =>
        keepRequests(
          events.map(({ data }) => ({ ...data, kind: 'announce', mentioned: [], tags: [] })),
          db,
        ),
    }),
    on(FavouriteRequested, {
      keys: byId,
      apply: (events, db) =>
        keepRequests(
          events.map(({ data }) => ({ ...data, kind: 'like', visibility: null, mentioned: [], tags: [] })),
          db,
        ),
    }),
    on(ReplyRequestEnded, ends),
    on(ReblogRequestEnded, ends),
    on(FavouriteRequestEnded, ends),
    on(StatusFavourited, approves),
    on(StatusReblogged, approves),
    onAccounts(
      PersonalDataErased,
      deleteRowsOf('interaction_requests'),
      deleteRowsOf('interaction_authorizations'),
    ),
  ],
};
