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
import {
  dataOf,
  deleteRowsOf,
  type Handler,
  MAIN,
  on,
  onAccounts,
  type Projection,
} from '#kernel/projection.ts';
import { tablesOf } from '#kernel/table/index.ts';
import {
  AUTHORIZATIONS,
  type Authorized,
  changePolicies,
  keepAuthorizations,
  POLICIES,
  REQUESTS,
} from './rows.ts';

const byId = ({ data }: { data: { id: string } }): string[] => [data.id];

const keep = REQUESTS.insert();
const forget = REQUESTS.remove();
/** Most events have no authorization and need no statement. */
const approves: Handler<RecordedEvent<string, Authorized>> = {
  keys: byId,
  apply: (events, db) => keepAuthorizations(dataOf(events), db),
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
  tables: tablesOf(POLICIES, REQUESTS, AUTHORIZATIONS),
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
    on(InteractionPolicyChanged, { keys: byId, apply: (events, db) => changePolicies(dataOf(events), db) }),
    on(StatusDeleted, { keys: byId, apply: POLICIES.remove().each(({ data }) => ({ status_id: data.id })) }),
    on(ReplyRequested, {
      keys: byId,
      apply: keep.each(({ data }) => ({
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
    }),
    on(ReblogRequested, {
      keys: byId,
      apply: keep.each(({ data }) => ({ ...data, kind: 'announce', mentioned: [], tags: [] })),
    }),
    on(FavouriteRequested, {
      keys: byId,
      apply: keep.each(({ data }) => ({ ...data, kind: 'like', visibility: null, mentioned: [], tags: [] })),
    }),
    on(ReplyRequestEnded, { keys: byId, apply: forget.each(({ data }) => data) }),
    on(ReblogRequestEnded, { keys: byId, apply: forget.each(({ data }) => data) }),
    on(FavouriteRequestEnded, { keys: byId, apply: forget.each(({ data }) => data) }),
    on(StatusFavourited, approves),
    on(StatusReblogged, approves),
    onAccounts(PersonalDataErased, deleteRowsOf(REQUESTS), deleteRowsOf(AUTHORIZATIONS)),
  ],
};
