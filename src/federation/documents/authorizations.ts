import type { AuthorizedInteraction } from '../../../queries/federation/index.ts';
import { AUTHORIZATION_CONTEXT, INTERACTION_REQUEST_CONTEXT, type Document } from './contexts.ts';

/*
 * Approval of replies, likes and announces: https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

export type InteractionKind = 'reply' | 'like' | 'announce';

/** The types of a request for approval, by what it asks for. */
export const REQUEST_TYPES = {
  reply: 'ReplyRequest',
  like: 'LikeRequest',
  announce: 'AnnounceRequest',
} as const;

/** The types of an authorization, by what it allows; the second is that of the documentation of GoToSocial 0.19. */
export const AUTHORIZATION_TYPES = {
  reply: ['ReplyAuthorization', 'ReplyApproval'],
  like: ['LikeAuthorization', 'LikeApproval'],
  announce: ['AnnounceAuthorization', 'AnnounceApproval'],
} as const;

/** The path segment below the author where authorizations are served. */
export const AUTHORIZATION_PATHS = {
  reply: 'reply_authorizations',
  like: 'like_authorizations',
  announce: 'announce_authorizations',
} as const;

/** The address of an authorization by a local author; `id` is that of the reply, the reblog or the favourite. */
export const authorizationUri = (authorUri: string, kind: InteractionKind, id: string): string =>
  `${authorUri}/${AUTHORIZATION_PATHS[kind]}/${id}`;

/** Says that the author of a post allows an interaction with it. */
export const authorizationDocument = (
  id: string,
  authorUri: string,
  kind: InteractionKind,
  { interacting, target }: AuthorizedInteraction,
): Document => ({
  '@context': AUTHORIZATION_CONTEXT,
  id,
  type: AUTHORIZATION_TYPES[kind][0],
  attributedTo: authorUri,
  interactingObject: interacting,
  interactionTarget: target,
});

/** An interaction of another server with a local post. */
export interface AskedInteraction {
  kind: InteractionKind;
  /** The name of the request at the other server; undefined where it sent the interaction itself. */
  request: { name: string | null } | undefined;
  actor: string;
  interacting: { uri: string; type: string };
  target: string;
}

/** The answer of the author of a local post; with `authorization` where they agree. */
export const interactionAnswer = (
  id: string,
  authorUri: string,
  { kind, request, actor, interacting, target }: AskedInteraction,
  authorization: string | undefined,
): Document & { actor: string } => ({
  '@context': INTERACTION_REQUEST_CONTEXT,
  id,
  type: authorization === undefined ? 'Reject' : 'Accept',
  actor: authorUri,
  to: actor,
  object: request
    ? {
        ...(request.name === null ? {} : { id: request.name }),
        type: REQUEST_TYPES[kind],
        actor,
        object: target,
        instrument: interacting.uri,
      }
    : { id: interacting.uri, type: interacting.type },
  target,
  ...(authorization === undefined ? {} : { result: authorization }),
});
