/**
 * Relationships of one account to another, as SQL conditions. `from` and `to` are expressions for account ids
 * (a column, or a parameter with its cast); null makes the condition false. `to` may be several, with commas:
 * any of them.
 *
 * Each is one index lookup per row. `offset 0` keeps Postgres from turning it into a join with everything
 * that an account blocks or mutes: the plan of a prepared statement is the same for accounts without blocks
 * and with thousands.
 */

/**
 * The alias of the viewers in a statement for several viewers, which looks up each viewer's page in a
 * subquery.
 */
export const VIEWER = 'reader';

/**
 * Rare properties of a viewer, as the rows that cause them: for all other viewers, the conditions that depend
 * on them need no lookup per row. The rows are in the order of an index, or the plan would read whole tables
 * to find nothing.
 */
const FACTS = {
  blocks_anybody: (me: string) => `blocks where account_id = ${me} order by target_account_id`,
  blocked_by_anybody: (me: string) => `blocks where target_account_id = ${me} order by account_id`,
  mutes_anybody: (me: string) => `mutes where account_id = ${me} order by target_account_id`,
  blocks_domains: (me: string) => `user_domain_blocks where account_id = ${me} order by domain`,
  mutes_threads: (me: string) => `thread_mutes where account_id = ${me} order by conversation_id`,
  has_exclusive_lists: (me: string) => `lists where account_id = ${me} and exclusive`,
  follows_tags: (me: string) => `tag_follows where account_id = ${me} order by tag`,
};
type Fact = keyof typeof FACTS;

const has = (fact: Fact, account: string): string => `exists (select from ${FACTS[fact](account)} offset 0)`;

/**
 * SQL: true if a fact may hold for an account, looked up once per statement for a parameter, and once per
 * viewer for a `VIEWER`. Other columns save nothing, so it may hold for all of them.
 */
export const factMayHold = (fact: Fact, account: string): string => {
  if (account.startsWith('$')) return `(select ${has(fact, account)})`;
  return account.startsWith(`${VIEWER}.`) ? `${VIEWER}.${fact}` : 'true';
};

/** All facts of an account as columns, which `factMayHold` reads for a `VIEWER`. */
export const viewerFacts = (account: string): string =>
  (Object.keys(FACTS) as Fact[]).map((fact) => `${has(fact, account)} as ${fact}`).join(', ');

export const blocks = (from: string, to: string): string =>
  `(${factMayHold('blocks_anybody', from)} and ${factMayHold('blocked_by_anybody', to)} and exists (
    select from blocks blk where blk.account_id = ${from} and blk.target_account_id in (${to}) offset 0))`;

/** SQL: a mute that has not expired. */
export const mutes = (from: string, to: string): string => mutesWith(from, to, '');

/** SQL: a mute that has not expired and includes notifications. */
export const mutesNotifications = (from: string, to: string): string =>
  mutesWith(from, to, 'and mut.notifications');

/**
 * An SQL array of a domain with its port, without it, and of all domains above it: the domains whose block hides it. `domain` is an expression for
 * a domain, or several with commas. It is computed once per row, so each of them is one look into an index.
 */
export const domainAndParents = (domain: string): string =>
  `array(select giv.domain collate "C" from unnest(array[${domain}]) as giv (domain)
    union all
    select array_to_string(lab.parts[cut.first:], '.') collate "C"
    from unnest(array[${domain}]) as giv (domain)
    cross join lateral (select string_to_array(split_part(giv.domain collate "C", ':', 1), '.') as parts) lab
    cross join lateral generate_subscripts(lab.parts, 1) as cut (first))`;

/**
 * SQL: true if an account blocks a domain, at any port, or one above it. `domain` is an expression for a
 * domain, or several with commas; null is this server, which cannot be blocked.
 */
export const blocksDomain = (from: string, domain: string): string =>
  `(${factMayHold('blocks_domains', from)} and exists (
    select from user_domain_blocks dom
    where dom.account_id = ${from} and dom.domain = any(${domainAndParents(domain)}) offset 0))`;

/** SQL: true if an account blocks or mutes any other. */
export const blocksOrMutesAnyone = (account: string): string =>
  `(${factMayHold('blocks_anybody', account)} or ${factMayHold('mutes_anybody', account)})`;

const mutesWith = (from: string, to: string, and: string): string =>
  `(${factMayHold('mutes_anybody', from)} and exists (
    select from mutes mut where mut.account_id = ${from} and mut.target_account_id in (${to}) ${and}
      and (mut.expires_at is null or mut.expires_at > now()) offset 0))`;
