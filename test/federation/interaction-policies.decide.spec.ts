import { expect } from 'chai';
import { decideLinkReply, decideRevoke } from '#commands/federation/index.ts';
import { decideReblog, decideUnfavourite, decideUnreblog, interaction } from '#commands/statuses/index.ts';
import {
  decideApproveFavourite,
  decideApproveReblog,
  decideApproveReply,
  decideEndFavouriteRequest,
  decideEndReplyRequest,
  decideFavourite,
  decideInteractionPolicy,
  status,
} from '#commands/statuses/index.ts';
import { FavouriteRequested, type InteractionEvent, ReblogRequested } from '#events/interactions.ts';
import { ReplyRequested, StatusCreated, type StatusEvent } from '#events/statuses.ts';
import { interactionPolicyOf } from '#interfaces/federation/remote/interaction-policy.ts';
import type { JsonObject } from '#kernel/event.ts';
import { approvalBy, type PolicyFacts } from '#queries/federation/index.ts';
import { given } from '../support/given.ts';

const sampleOf = ({ samples }: { samples: Record<number, JsonObject> }): Record<string, string> =>
  samples[1] as Record<string, string>;
const EVERYONE = 'https://www.w3.org/ns/activitystreams#Public';
const CAROL = 'https://far.example/users/carol';
const ALICE = 'https://rookery.example/users/alice';
const AUTHORIZATION = 'https://far.example/authorizations/1';

describe('The interaction policy of a remote post', () => {
  const stranger: PolicyFacts = {
    uri: ALICE,
    is_author: false,
    author_uri: CAROL,
    followers_uri: `${CAROL}/fans`,
    follows: false,
    followed: false,
    addressed: false,
  };
  const follower = { ...stranger, follows: true };
  const approval = (
    automatic: string[],
    manual: string[],
    facts = stranger,
    kind: 'reply' | 'like' = 'like',
  ) => approvalBy({ automatic, manual, polite: true }, kind, facts);

  it('prefers the entry for an account to entries for collections and for everyone', () => {
    expect(approval([ALICE], [EVERYONE])).equal('automatic');
    expect(approval([EVERYONE], [ALICE])).equal('required');
    expect(approval([ALICE], [ALICE]), 'the highest permission of the same name').equal('automatic');
    expect(approval([], [EVERYONE])).equal('required');
    expect(approval([CAROL], [])).equal('forbidden');
    expect(approval([], [])).equal('forbidden');
  });

  it("requires the author's server to confirm membership of a collection", () => {
    expect(approval([`${CAROL}/fans`], [], follower)).equal('required');
    expect(approval([`${CAROL}/fans`], [])).equal('forbidden');
    expect(approval([`${CAROL}/followers`], [], { ...follower, followers_uri: null })).equal('required');
    expect(approval([`${CAROL}/following`], [], { ...stranger, followed: true })).equal('required');
    expect(approval([`${CAROL}/following`], [])).equal('forbidden');
    expect(approval([], [`${CAROL}/fans`], follower)).equal('required');
    expect(approval([`${CAROL}/fans`, EVERYONE], [], follower)).equal('automatic');
  });

  it('always allows everything to the author, and replies to addressed accounts', () => {
    expect(approval([], [], { ...stranger, is_author: true })).equal('automatic');
    const addressed = { ...stranger, addressed: true };
    expect(approval([], [], addressed, 'reply')).equal('automatic');
    expect(approval([], [], addressed, 'like')).equal('forbidden');
  });

  const read = (interactionPolicy: unknown) => interactionPolicyOf({ interactionPolicy });

  it('is read in its new and its old form', () => {
    expect(read({ canReply: { automaticApproval: CAROL, manualApproval: ['as:Public'] } })).deep.equal({
      reply: { automatic: [CAROL], manual: [EVERYONE], polite: true },
    });
    expect(read({ canLike: { always: [CAROL], approvalRequired: EVERYONE } })).deep.equal({
      like: { automatic: [CAROL], manual: [EVERYONE], polite: false },
    });
    const both = { automaticApproval: [CAROL], always: [EVERYONE], manualApproval: [], approvalRequired: [] };
    expect(read({ canAnnounce: both })).deep.equal({
      announce: { automatic: [CAROL], manual: [], polite: true },
    });
  });

  it('is null when absent, empty or open to all, and keeps at most 50 entries', () => {
    const open = { automaticApproval: [EVERYONE] };
    for (const none of [undefined, null, {}, [], 'x', { canReply: null }, { canReply: {} }]) {
      expect(read(none), JSON.stringify(none)).equal(null);
    }
    expect(read({ canReply: open, canLike: open, canQuote: { automaticApproval: [CAROL] } })).equal(null);
    const many = Array.from({ length: 500 }, (_, n) => `${CAROL}/${n}`);
    const long = { automaticApproval: [...many, 'x'.repeat(3_000), 7, { id: CAROL }] };
    expect(read({ canReply: long })?.reply?.automatic).to.have.length(50);
    expect(read({ canReply: { automaticApproval: ['x'.repeat(3_000), 7, { id: CAROL }] } })).deep.equal({
      reply: { automatic: [CAROL], manual: [], polite: true },
    });
  });

  it('is changed only by its author and only to a different policy', () => {
    const post: StatusEvent = {
      type: 'StatusCreated',
      data: { ...(StatusCreated.samples[6] as never as StatusEvent['data']), local: false } as never,
    };
    const state = given(status, post);
    const { id, account_id } = post.data;
    const policy = { like: { automatic: [], manual: [EVERYONE], polite: true } };
    const changed = {
      type: 'InteractionPolicyChanged',
      data: { id, account_id, interaction_policy: policy },
    };
    state.when(decideInteractionPolicy, account_id, policy).then([changed]);
    state.when(decideInteractionPolicy, '7', policy).then([]);
    given(status, post, changed as StatusEvent)
      .when(decideInteractionPolicy, account_id, policy)
      .then([]);
    const deleted = { type: 'StatusDeleted', data: {} } as StatusEvent;
    given(status, post, deleted).when(decideInteractionPolicy, account_id, policy).then([]);
  });
});

describe('An interaction that waits for approval', () => {
  const request = { type: 'ReplyRequested', data: ReplyRequested.samples[1] } as never as StatusEvent;
  const asked = sampleOf(ReplyRequested)['asked_account_id'] ?? '';
  const approve = (past: StatusEvent[], by = asked) =>
    given(status, ...past).when(decideApproveReply, by, AUTHORIZATION);

  it('is approved once, by the account that was asked', () => {
    const [approved, ...others] = approve([request]).decided();
    expect(others).deep.equal([]);
    const { asked_account_id: _, polite: __, ...post } = sampleOf(ReplyRequested);
    expect(approved).deep.equal({
      type: 'StatusCreated',
      data: { ...post, reply_authorization: AUTHORIZATION },
    });
    approve([request], '7').then([]);
    approve([request, approved as StatusEvent]).then([]);
    approve([]).then([]);
  });

  it('ends once and cannot be approved afterwards', () => {
    const [ended] = given(status, request).when(decideEndReplyRequest, 'rejected').decided();
    expect(ended?.type).equal('ReplyRequestEnded');
    approve([request, ended as StatusEvent]).then([]);
    given(status, request, ended as StatusEvent)
      .when(decideEndReplyRequest, 'rejected')
      .then([]);
    const approved = approve([request]).decided();
    given(status, request, ...approved)
      .when(decideEndReplyRequest, 'rejected')
      .then([]);
  });

  const target = { account_id: '1', status_id: '2', status_account_id: '3' };
  const like = {
    type: 'FavouriteRequested',
    data: FavouriteRequested.samples[1],
  } as never as InteractionEvent;
  const boost = { type: 'ReblogRequested', data: ReblogRequested.samples[1] } as never as InteractionEvent;
  const past = given(interaction, like, boost);
  const id = sampleOf(FavouriteRequested)['id'] ?? '';

  it('is requested once, and is withdrawn as a request', () => {
    past.when(decideFavourite, target, '9').then([]);
    const author = { account_id: '3', visibility: 'public' } as const;
    const again = { ...target, id: '9', local: true, now: '', uri: '', visibility: 'public' } as const;
    past.when(decideReblog, again, author).then([]);
    expect(
      past
        .when(decideUnfavourite, target, '')
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['FavouriteRequestEnded']);
    expect(
      past
        .when(decideUnreblog, target)
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['ReblogRequestEnded']);
  });

  it('is answered only under its own id', () => {
    const by = (asId: string) => ({ id: asId, authorization: AUTHORIZATION });
    expect(
      past
        .when(decideApproveFavourite, target, by(id))
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['StatusFavourited']);
    past.when(decideApproveFavourite, target, by('9')).then([]);
    expect(
      past
        .when(decideApproveReblog, target, by(id))
        .decided()
        .map(({ type }) => type),
    ).deep.equal(['StatusReblogged']);
    past.when(decideApproveReblog, target, by('9')).then([]);
    past.when(decideEndFavouriteRequest, target, 'rejected', '9').then([]);
  });
});

describe('A remote reply that arrived before its post', () => {
  const target = 'https://far.example/notes/1';
  const reply = (more: object = {}): StatusEvent => ({
    type: 'StatusCreated',
    data: {
      ...(StatusCreated.samples[5] as never as StatusEvent['data']),
      in_reply_to_uri: target,
      ...more,
    } as never,
  });
  const parent = {
    id: '7',
    account_id: '8',
    visibility: 'public',
    conversation_id: '7',
    local: false,
    poll_id: null,
    policied: true,
  } as const;
  const linked = (approver: string | null, more: object = {}): string[] =>
    given(status, reply(more))
      .when(decideLinkReply, { parent, names: [target], linkId: '9', approver })
      .decided()
      .map(({ type }) => type);
  const authorized = { reply_authorization: AUTHORIZATION, reply_authorized_by: CAROL };

  it('is linked when the author approved it, or when no approval is required', () => {
    expect(linked(null)).deep.equal(['ReplyLinked']);
    expect(linked(null, authorized)).deep.equal(['ReplyLinked']);
    expect(linked(CAROL, authorized)).deep.equal(['ReplyLinked']);
  });

  it('is deleted when it lacks the approval of the author', () => {
    expect(linked(CAROL)).deep.equal(['StatusDeleted']);
    expect(linked(ALICE, authorized)).deep.equal(['StatusDeleted']);
    expect(linked(CAROL, { in_reply_to_uri: 'https://far.example/notes/2' }), 'of another post').deep.equal(
      [],
    );
  });
});

describe('A revoked approval', () => {
  const target = { account_id: '1', status_id: '2', status_account_id: '3' };
  const past = given(
    interaction,
    { type: 'StatusFavourited', data: { id: '4', ...target } },
    {
      type: 'StatusReblogged',
      data: { id: '5', ...target, visibility: 'public', created_at: '', local: true, uri: '' },
    },
  );
  const revoked = (kind: 'like' | 'announce', id: string) =>
    past
      .when(decideRevoke, target, { id, kind })
      .decided()
      .map(({ type }) => type);

  it('removes the favourite or reblog that it allowed, and no later one', () => {
    expect(revoked('like', '4')).deep.equal(['StatusUnfavourited']);
    expect(revoked('announce', '5')).deep.equal(['StatusUnreblogged']);
    expect(revoked('like', '5')).deep.equal([]);
    expect(revoked('announce', '4')).deep.equal([]);
  });
});
