import { hostName } from '#mastodon/host-name.ts';
import { blocks, blocksDomain } from './pairs.ts';
import { type StatusAliases, USUAL } from './statuses.ts';

/**
 * SQL: true if an account federates: a local one whose user was approved (address confirmed, sign-up
 * approved). Other servers may see a suspended one as gone.
 */
export const knownToServers = (account = 'a'): string =>
  `(${account}.domain is null and exists (
    select from users usr where usr.account_id = ${account}.id and usr.confirmed and usr.approved offset 0))`;

/** SQL: true if a post is public: strangers may see it, and lists for other servers contain it. */
export const publicToServers = ({ status: s, author: a }: StatusAliases = USUAL): string =>
  `(not ${s}.deleted and not ${a}.suspended and ${s}.visibility in ('public', 'unlisted'))`;

/**
 * The signer of a request: SQL expressions for the URI of the verified actor, and for the host in it; null
 * for a stranger. The signature proves the host; the domain of a handle may differ.
 */
export interface SignerExpressions {
  host: string;
  uri: string;
}

/**
 * SQL: true if the signer may fetch a post: a public one, one for followers when the account that signed follows the
 * author, and any post when that account is mentioned in it (decision 0607). None of these when the author blocks
 * the server or the signer, or when the signer is suspended here.
 */
export const servedTo = (signer: SignerExpressions, aliases: StatusAliases = USUAL): string => {
  const { status: s, author: a } = aliases;
  return `((${publicToServers(aliases)} or (
      not ${s}.deleted and not ${a}.suspended and ${s}.visibility = 'private' and exists (
        select from follows fol join accounts fan on fan.id = fol.account_id
        where fol.target_account_id = ${s}.account_id and fan.domain is not null and fan.uri = ${signer.uri} offset 0))
      or (not ${s}.deleted and not ${a}.suspended and ${s}.visibility in ('private', 'direct') and exists (
        select from status_mentions men join accounts tld on tld.id = men.account_id
        where men.status_id = ${s}.id and tld.domain is not null and tld.uri = ${signer.uri} offset 0)))
    and ${isOpenTo(signer, a)})`;
};

/**
 * SQL: true if an account blocks neither the signer nor the server of a request, and the signer is not
 * suspended here.
 */
const isOpenTo = ({ host, uri }: SignerExpressions, account: string): string =>
  `(not ${blocksDomain(`${account}.id`, `${host}, (select sig.domain from accounts sig where sig.uri = ${uri} limit 1)`)}
    and not exists (
      select from accounts sig where sig.uri = ${uri}
        and (sig.suspended or ${blocks(`${account}.id`, 'sig.id')}) offset 0))`;

/** SQL: true if another server may fetch the collections of a local account. */
export const collectionsServedTo = (signer: SignerExpressions, account = 'a'): string =>
  `(${knownToServers(account)} and not ${account}.suspended and ${isOpenTo(signer, account)})`;

/**
 * SQL: true if users of another server could see a post, deleted or not, and so may report it. `host` is an
 * expression for the host in their URIs.
 */
export const wasShownTo = (host: string, status = 's'): string => {
  const isThere = (account: string): string =>
    `${account}.domain is not null and split_part(${account}.uri, '/', 3) = ${host}`;
  return `(${status}.visibility in ('public', 'unlisted')
    or (${status}.visibility = 'private' and exists (
      select from follows fol join accounts fan on fan.id = fol.account_id
      where fol.target_account_id = ${status}.account_id and ${isThere('fan')} offset 0))
    or exists (select from status_mentions men join accounts tld on tld.id = men.account_id
      where men.status_id = ${status}.id and ${isThere('tld')} offset 0))`;
};

/** SQL: true if a deleted post was public, which other servers may know. */
export const wasPublicToServers = (status = 's'): string =>
  `(${status}.deleted and ${status}.visibility in ('public', 'unlisted'))`;

/**
 * Whether activities are sent to a remote account: not when it or its server is suspended here, in limited
 * federation not when its server is not allowed, and not when a block exists between an `author` and it or
 * its server. `r` is its row of `remote_inboxes`. All expressions are SQL; a null author is none. The end of
 * a follow (`farewell`) is sent to suspended accounts and servers too: otherwise both servers would disagree
 * about the follow when that is lifted.
 */
export const deliverableTo = (
  { author, limited, farewell }: { author: string; limited: string; farewell: string },
  { account: a, place: r } = { account: 'a', place: 'r' },
): string =>
  `((${farewell} and ${a}.suspended and not ${a}.gone) or not ${a}.suspended
    and (not ${limited} or exists (select from domain_allows alw where alw.domain in (${[`${a}.domain`, `${r}.host`].flatMap((host) => [host, hostName(host)]).join(', ')}) offset 0))
    and not ${blocks(author, `${a}.id`)} and not ${blocks(`${a}.id`, author)}
    and not ${blocksDomain(author, `${a}.domain, ${r}.host`)})`;
