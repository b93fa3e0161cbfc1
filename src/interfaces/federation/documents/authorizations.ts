import type { AuthorizedInteraction } from '#queries/federation/index.ts';
import { AUTHORIZATION_CONTEXT, type Document, INTERACTION_REQUEST_CONTEXT } from './contexts.ts';

/*
 * Approval of replies, likes and announces: https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

export type InteractionKind = 'reply' | 'like' | 'announce';

/** The types of a request for approval, by interaction. */
export const REQUEST_TYPES = {
  reply: 'ReplyRequest',
  like: 'LikeRequest',
  announce: 'AnnounceRequest',
} as const;

/**
 * The types of an authorization, by interaction; the second is that of the documentation of GoToSocial 0.19.
 */
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

/**
 * Returns the URI of an authorization by a local author; `id` is that of the reply, the reblog or the
 * favourite.
 */
export const authorizationUri = (authorUri: string, kind: InteractionKind, id: string): string =>
  `${authorUri}/${AUTHORIZATION_PATHS[kind]}/${id}`;

/** Returns the authorization of an interaction by the author of the post. */
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

/** A remote interaction with a local post. */
export interface AskedInteraction {
  kind: InteractionKind;
  /** The URI of the request on the other server; undefined when it sent the interaction itself. */
  request: { name: string | null } | undefined;
  actor: string;
  interacting: { uri: string; type: string };
  target: string;
}

/** Returns the answer of the author of a local post; with `authorization` when they approve. */
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

/**
 * Returns the URI of a request for approval: the actor's URI and the id of the reply, reblog or favourite.
 */
export const requestUri = (actorUri: string, kind: InteractionKind, id: string): string =>
  `${actorUri}#${kind}_requests/${id}`;

/** Returns the request to the author of a post to approve an interaction with it, which is the instrument. */
export const interactionRequestDocument = (
  kind: InteractionKind,
  request: { id: string; actor: string; to: string; object: string; instrument: Document },
): Document & { actor: string } => ({
  '@context': INTERACTION_REQUEST_CONTEXT,
  type: REQUEST_TYPES[kind],
  ...request,
});

const REQUEST_TYPE_NAMES: readonly string[] = Object.values(REQUEST_TYPES);
export const isInteractionRequest = (types: readonly string[]): boolean =>
  types.some((type) => REQUEST_TYPE_NAMES.includes(type));

/** The URIs of requests, replies, reblogs and favourites of local users; each ends with the id. */
const OWN_NAMES = [
  /#(?:reply|like|announce)_requests\/([0-9]{1,19})$/,
  /#likes\/([0-9]{1,19})$/,
  /\/statuses\/([0-9]{1,19})(?:\/activity)?$/,
];

/** Returns the id in the URI of a local user's interaction, or of the request to approve it. */
export function ownInteractionId(uri: string, origin: string): string | undefined {
  if (!uri.startsWith(`${origin}/`)) return undefined;
  return OWN_NAMES.map((form) => form.exec(uri)?.[1]).find((id) => id !== undefined);
}
