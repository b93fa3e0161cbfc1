import { z } from 'zod';
import { defineEvent, type EventOf } from '#kernel/event.ts';
import { domain, id, time, url } from './common.ts';

/**
 * Exists once a remote object is known, named by the SHA-256 of its URI or of an account's handle. The first
 * writer decides the local id, so one URI or handle never becomes two objects.
 */
export const remoteUriStream = (digest: string): string => `remote-uri-${digest}`;
export const remoteHandleStream = (digest: string): string => `remote-handle-${digest}`;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const sampleDigest = '0f343b0931126a20f133d67c2b018a3b'.repeat(2);

export const RemoteUriClaimed = defineEvent({
  type: 'RemoteUriClaimed',
  version: 3,
  schema: z.object({ digest, kind: z.enum(['account', 'status', 'report', 'collection']), id }),
  // Version 2 added reports, version 3 collections.
  upcasts: { 1: (data) => data, 2: (data) => data },
  samples: {
    1: { digest: sampleDigest, kind: 'account', id: '109500000000000000' },
    2: { digest: sampleDigest, kind: 'report', id: '115500000000000020' },
    3: { digest: sampleDigest, kind: 'collection', id: '115500000000000021' },
  },
});

export const RemoteHandleClaimed = defineEvent({
  type: 'RemoteHandleClaimed',
  version: 1,
  schema: z.object({ digest, account_id: id }),
  samples: { 1: { digest: sampleDigest, account_id: '109500000000000000' } },
});

/**
 * The operator removed what a URI or a handle named here, to save room. If it comes again, it is a new object
 * with an id of its own.
 */
export const RemoteUriReleased = defineEvent({
  type: 'RemoteUriReleased',
  version: 1,
  schema: z.object({ digest, id }),
  samples: { 1: { digest: sampleDigest, id: '109500000000000000' } },
});

export const RemoteHandleReleased = defineEvent({
  type: 'RemoteHandleReleased',
  version: 1,
  schema: z.object({ digest, account_id: id }),
  samples: { 1: { digest: sampleDigest, account_id: '109500000000000000' } },
});

/**
 * WebFinger of a handle led to an account that goes by another one; in the stream of the handle. An account
 * that has the handle as its own takes its place.
 */
export const RemoteHandleAliased = defineEvent({
  type: 'RemoteHandleAliased',
  version: 1,
  schema: z.object({ digest, account_id: id }),
  samples: { 1: { digest: sampleDigest, account_id: '109500000000000000' } },
});

/**
 * The server of an account was set up anew: WebFinger of the same handle names another actor. The account keeps
 * its id, its followers and its past; in the stream of the account.
 */
export const AccountUriReplaced = defineEvent({
  type: 'AccountUriReplaced',
  version: 1,
  schema: z.object({ account_id: id, uri: url, url, former_uri: url, replaced_at: time }),
  samples: {
    1: {
      account_id: '109500000000000000',
      uri: 'https://far.example/ap/users/115500000000000040',
      url: 'https://far.example/@carol',
      former_uri: 'https://far.example/users/carol',
      replaced_at: '2026-11-29T08:00:00.000Z',
    },
  },
});

/** A remote account has another name on its server, which WebFinger confirms; in the stream of the account. */
export const RemoteAccountRenamed = defineEvent({
  type: 'RemoteAccountRenamed',
  version: 1,
  schema: z.object({
    account_id: id,
    username: z.string().max(2_048),
    former_username: z.string().max(2_048),
    domain,
    url,
    renamed_at: time,
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      username: 'caroline',
      former_username: 'carol',
      domain: 'far.example',
      url: 'https://far.example/@caroline',
      renamed_at: '2026-11-29T08:00:00.000Z',
    },
  },
});

/**
 * Another account of its server has the handle of a remote account, which WebFinger confirms. It has none until
 * `RemoteAccountRenamed`; in the stream of the account.
 */
export const RemoteHandleLost = defineEvent({
  type: 'RemoteHandleLost',
  version: 1,
  schema: z.object({
    account_id: id,
    username: z.string().max(2_048),
    domain,
    /** The account that has it now. */
    new_account_id: id,
    lost_at: time,
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      username: 'carol',
      domain: 'far.example',
      new_account_id: '115500000000000040',
      lost_at: '2026-11-29T08:00:00.000Z',
    },
  },
});

/** The rows of an erased remote account are removed; in the stream of the account. */
export const RemoteAccountRemoved = defineEvent({
  type: 'RemoteAccountRemoved',
  version: 1,
  schema: z.object({ account_id: id }),
  samples: { 1: { account_id: '109500000000000000' } },
});

/** Announces the first remote account. */
export const REMOTE_ACCOUNTS_CHANNEL = 'rookery_remote_accounts';

/** The inboxes of a remote account from now on; in the stream of the account. */
export const RemoteInboxesChanged = defineEvent({
  type: 'RemoteInboxesChanged',
  version: 1,
  schema: z.object({
    account_id: id,
    inbox: url,
    /** The shared inbox of the server; null without one. */
    shared_inbox: url.nullable(),
    /** The URI that addresses all followers. */
    followers_uri: url.nullable(),
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      inbox: 'https://far.example/users/carol/inbox',
      shared_inbox: 'https://far.example/inbox',
      followers_uri: 'https://far.example/users/carol/followers',
    },
  },
});
export type Inboxes = Omit<EventOf<typeof RemoteInboxesChanged>['data'], 'account_id'>;

/**
 * One number of a profile: `total` is reported by the account's server, `known` is how many of these this
 * server knew then.
 */
const tally = z.object({ total: z.int().min(0).max(1_000_000_000), known: z.int() });

/**
 * The numbers of followers, follows and posts that a remote server reports for its account; null when it
 * reports none. Stored in the account's stream. Later local changes are added to them.
 */
export const RemoteAccountCounted = defineEvent({
  type: 'RemoteAccountCounted',
  version: 1,
  schema: z.object({
    account_id: id,
    counted_at: time,
    followers: tally.nullable(),
    following: tally.nullable(),
    statuses: tally.nullable(),
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      counted_at: '2026-11-24T08:00:00.000Z',
      followers: { total: 1_204, known: 2 },
      following: { total: 310, known: 1 },
      statuses: null,
    },
  },
});
export type RemoteTallies = Pick<
  EventOf<typeof RemoteAccountCounted>['data'],
  'followers' | 'following' | 'statuses'
>;

/**
 * A local account signs with another key from now on; in the stream of the account. Private keys are never in
 * the log.
 */
export const AccountKeysRotated = defineEvent({
  type: 'AccountKeysRotated',
  version: 1,
  schema: z.object({
    account_id: id,
    /** The name of the former key, which is kept while other servers learn of the new one. */
    retired_key: id,
    /** The new key: SPKI, PEM. */
    public_key: z.string().max(2_000),
    /** The new key for proofs, a Multikey; absent in events from before accounts had one. */
    assertion_key: z.string().max(200).optional(),
  }),
  samples: {
    1: {
      account_id: '109500000000000000',
      retired_key: '115500000000000030',
      public_key: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n',
    },
  },
});

/** Events in the streams of accounts that concern other servers. */
export type FederationAccountEvent =
  | EventOf<typeof AccountUriReplaced>
  | EventOf<typeof RemoteAccountRenamed>
  | EventOf<typeof RemoteHandleLost>
  | EventOf<typeof RemoteInboxesChanged>
  | EventOf<typeof RemoteAccountCounted>
  | EventOf<typeof AccountKeysRotated>
  | EventOf<typeof RemoteAccountRemoved>;

export const federationEvents = [
  RemoteUriClaimed,
  RemoteHandleClaimed,
  RemoteHandleAliased,
  AccountUriReplaced,
  RemoteAccountRenamed,
  RemoteHandleLost,
  RemoteUriReleased,
  RemoteHandleReleased,
  RemoteInboxesChanged,
  RemoteAccountCounted,
  AccountKeysRotated,
  RemoteAccountRemoved,
];
export type ClaimEvent =
  | EventOf<typeof RemoteUriClaimed>
  | EventOf<typeof RemoteHandleClaimed>
  | EventOf<typeof RemoteHandleAliased>
  | EventOf<typeof RemoteUriReleased>
  | EventOf<typeof RemoteHandleReleased>;
