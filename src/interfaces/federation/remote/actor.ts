import type { RemoteAccount } from '#commands/federation/index.ts';
import { sanitizeRemoteHtml } from '#commands/text/sanitize.ts';
import { emptyProfile, type Profile } from '#events/accounts.ts';
import type { Inboxes } from '#events/federation.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { plainText } from '#mastodon/html.ts';
import type { RemoteDocument } from './documents.ts';
import { emojisOf } from './emojis.ts';
import { featurePolicyOf } from './feature-policy.ts';
import {
  type Foreign,
  idOf,
  isObject,
  listOf,
  naturalText,
  pageOf,
  pastMoment,
  typesOf,
  webAddress,
} from './json.ts';
import { plainLine } from './plain-line.ts';
import { RemoteError } from './remote-error.ts';

const TYPES = ['Person', 'Service', 'Application', 'Group', 'Organization'];
/** As in Mastodon: letters, digits and underscores, with dots and dashes between them. */
const USERNAME = /^[a-z0-9_]+(?:[a-z0-9_.-]*[a-z0-9_])?$/i;
const MAX_USERNAME = 256;
const MAX_NAME = 500;
/** Sanitizing takes time, and makes HTML up to six times longer: the result must fit the event. */
const MAX_HTML = 9_000;
const MAX_FIELDS = 20;
const MAX_FIELD = 1_000;
const MAX_DESCRIPTION = 1_500;

export const isActor = ({ document }: RemoteDocument): boolean =>
  typesOf(document).some((type) => TYPES.includes(type));

/** Returns the name of an actor on its server. @throws RemoteError */
export function usernameOf({ document }: RemoteDocument): string {
  const username = document['preferredUsername'];
  if (typeof username !== 'string' || username.length > MAX_USERNAME || !USERNAME.test(username)) {
    throw new RemoteError('has no name that can be used');
  }
  return username;
}

/**
 * Returns an actor as an account; `domain` is that of the handle, as WebFinger confirmed it. Every text is
 * cut and sanitized. @throws RemoteError for an actor without an inbox
 */
export function accountOf(actor: RemoteDocument, domain: string, now: string): RemoteAccount {
  const { id, document } = actor;
  if (!isActor(actor)) throw new RemoteError('is no actor');
  return {
    username: usernameOf(actor),
    domain,
    uri: id,
    url: pageOf(document, id),
    createdAt: pastMoment(document['published'], now) ?? now,
    profile: profileOf(actor),
    suspended: document['suspended'] === true,
    inboxes: inboxesOf(actor),
  };
}

/**
 * Returns an actor's inboxes, at its own origin only: otherwise an actor could make us write to third parties
 * as often as it likes.
 * @throws RemoteError without an inbox there
 */
function inboxesOf({ id, document }: RemoteDocument): Inboxes {
  const { origin } = new URL(id);
  const own = (value: unknown): string | null => {
    const url = webAddress(idOf(value));
    return url !== undefined && new URL(url).origin === origin ? url : null;
  };
  const inbox = own(document['inbox']);
  if (inbox === null) throw new RemoteError('has no inbox');
  const { endpoints } = document;
  return {
    inbox,
    shared_inbox: own(isObject(endpoints) ? endpoints['sharedInbox'] : undefined),
    followers_uri: own(document['followers']),
  };
}

function profileOf({ id, document }: RemoteDocument): Profile {
  const flag = (name: string): boolean => document[name] === true;
  /** Most servers omit it. */
  const isShown = (name: string): boolean => document[name] !== false;
  const icon = pictureOf(document['icon']);
  const image = pictureOf(document['image']);
  const display_name = plainLine(naturalText(document, 'name', MAX_NAME));
  const note_html = htmlOf(naturalText(document, 'summary', MAX_HTML));
  const fields = fieldsOf(document['attachment']);
  const texts = [display_name, note_html, ...fields.flatMap(({ name, html }) => [name, html])];
  const feature_policy = featurePolicyOf(id, document);
  const types = typesOf(document);
  return {
    ...emptyProfile,
    ...(feature_policy ? { feature_policy } : {}),
    ...(types.includes('Group') ? { group: true } : {}),
    display_name,
    note_html,
    fields,
    emojis: emojisOf(document, texts),
    avatar: icon && { original: icon.url, static: icon.url },
    header: image && { original: image.url, static: image.url },
    avatar_description: icon?.description ?? '',
    header_description: image?.description ?? '',
    locked: flag('manuallyApprovesFollowers'),
    bot: types.includes('Service') || types.includes('Application'),
    discoverable: flag('discoverable'),
    indexable: flag('indexable'),
    show_media: isShown('showMedia'),
    show_media_replies: isShown('showRepliesInMedia'),
    show_featured: isShown('showFeatured'),
    memorial: flag('memorial'),
    attribution_domains: attributionDomainsOf(document),
  };
}

const MAX_ATTRIBUTION_DOMAINS = 100;

/** Returns the hosts whose pages may name an account as their author: https://docs.joinmastodon.org/spec/activitypub/#attributionDomains */
function attributionDomainsOf({ attributionDomains }: Foreign): string[] {
  const domains = listOf(attributionDomains, MAX_ATTRIBUTION_DOMAINS).flatMap((domain) =>
    typeof domain === 'string' ? (canonicalDomain(domain) ?? []) : [],
  );
  return [...new Set(domains)];
}

/** Returns the displayable part of a remote server's HTML. */
export const htmlOf = (html: string): string => sanitizeRemoteHtml(html);

function pictureOf(value: unknown): { url: string; description: string } | null {
  const [first] = listOf(value, 1);
  const url = webAddress(first);
  if (url === undefined) return null;
  const said = (name: string): string => (isObject(first) ? naturalText(first, name, MAX_DESCRIPTION) : '');
  return { url, description: plainLine(said('summary') || said('name')) };
}

/** https://docs.joinmastodon.org/spec/activitypub/#PropertyValue */
function fieldsOf(value: unknown): Profile['fields'] {
  return listOf(value, 200)
    .filter((entry) => isObject(entry))
    .filter((entry) => typesOf(entry).includes('PropertyValue'))
    .slice(0, MAX_FIELDS)
    .map((entry) => {
      const clean = htmlOf(naturalText(entry, 'value', MAX_FIELD));
      return {
        name: plainLine(naturalText(entry, 'name', MAX_FIELD)),
        value: plainText(clean).slice(0, MAX_FIELD),
        html: clean,
        verified_at: null,
      };
    });
}
