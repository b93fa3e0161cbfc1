import { type Foreign, idOf, listOf, parseDocument, single, typesOf } from '../remote/json.ts';
import { RemoteError } from '../remote/remote-error.ts';

/** An activity as another server sends it: https://www.w3.org/TR/activitypub/#overview */
export interface Activity {
  type: string;
  actor: string;
  /** Its id; null when it has none at its actor's origin. */
  id: string | null;
  object: unknown;
  document: Foreign;
}

/** The accepted types; all others are ignored. */
const TYPES = [
  ...[
    'Accept',
    'Add',
    'Announce',
    'AnnounceRequest',
    'Block',
    'Create',
    'Delete',
    'EmojiReact',
    'FeatureRequest',
    'Flag',
    'Follow',
    'Like',
    'LikeRequest',
    'Move',
  ],
  ...['QuoteRequest', 'Reject', 'Remove', 'ReplyRequest', 'Undo', 'Update'],
] as const;
export type ActivityType = (typeof TYPES)[number];

/** Longer ids are ignored. UTF-16 units. */
export const MAX_URI = 2_048;

/**
 * Parses an activity. `bytes` is the text in UTF-8, if the caller has it. `signer` becomes the actor of a
 * `FeatureRequest` without one, as Mastodon sends it. @throws RemoteError if the text is no activity
 */
export function activityOf(
  text: string,
  { bytes, signer }: { bytes?: Uint8Array; signer?: string } = {},
): Activity {
  const document = parseDocument(text, bytes);
  const types = typesOf(document);
  const type = types.find(isTaken) ?? types[0];
  const actor = idOf(document['actor']) ?? (type === 'FeatureRequest' ? signer : undefined);
  const url = actor === undefined || actor.length > MAX_URI ? null : URL.parse(actor);
  if (type === undefined || actor === undefined || !url || !/^https?:$/.test(url.protocol)) {
    throw new RemoteError('is no activity of anybody');
  }
  const { id } = document;
  const isNamed = typeof id === 'string' && id.length <= MAX_URI && URL.parse(id)?.origin === url.origin;
  return { type, actor, id: isNamed ? id : null, object: single(document['object']), document };
}

/** The activities that may name several objects, which are then handled one after the other. */
const OF_SEVERAL = ['Create', 'Delete', 'Update'];
/** Each may cause requests to other servers. */
const MAX_OBJECTS = 5;

/** Returns an activity with several objects as activities with one object each. */
export function eachObject(activity: Activity): Activity[] {
  const { type, object, document } = activity;
  if (!Array.isArray(object) || !OF_SEVERAL.includes(type)) return [activity];
  return listOf(object, MAX_OBJECTS).map((one) => ({
    ...activity,
    object: one,
    document: { ...document, object: one },
  }));
}

export const isTaken = (type: string): type is ActivityType => (TYPES as readonly string[]).includes(type);
