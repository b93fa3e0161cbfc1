import type { InstanceSettingsRow } from '../../projections/instance.ts';
import type { InstanceSettings } from '../../src/events/instance.ts';
import { annualReportYear } from '../../src/mastodon/annual-report-window.ts';
import type { RequestContext } from '../../src/kernel/context.ts';
import { type Db, sourceOf, statement } from '../../src/kernel/read.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import type { Account, Rule } from '../../src/mastodon/schemas/index.ts';
import { rulesOf } from './rules.ts';
import { instanceSettings } from './settings.ts';

/** Numbers may be so old, in milliseconds. Settings never are. */
const COUNTS_LIVE = 30_000;

const CHANGES = statement('instance_changes', 'select changes from instance_settings where id = 1');
const COUNTS = statement(
  'instance_counts',
  `select
     (select count(*) from users where confirmed and approved and not suspended) as users,
     (select count(*) from users where last_active_on > $1::date - 28 and not suspended) as active_month,
     (select count(*) from users where last_active_on > $1::date - 180 and not suspended) as active_half_year,
     (select coalesce(sum(s.statuses_count), 0) from users u join account_stats s on s.account_id = u.account_id)
       as statuses,
     (select count(*) from known_domains) as domains,
     exists (select from terms_of_service) as has_terms`,
);
const CONTACT = statement(
  'instance_contact',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = $1 and not a.suspended`,
);

export interface InstanceCounts {
  users: number;
  /** Users who were here within 28 days, and within 180. */
  activeMonth: number;
  activeHalfYear: number;
  statuses: number;
  /** Other servers that are known. */
  domains: number;
}

/** The facts for pages about this server. */
export interface InstanceFacts {
  settings: InstanceSettings;
  rules: Rule[];
  counts: InstanceCounts;
  hasTerms: boolean;
  /** The year whose annual reports may be made now. */
  campaign: number | null;
  contact: Account | null;
}

interface Remembered {
  /** The inputs of the result, besides the numbers. */
  key: string;
  until: number;
  facts: Promise<InstanceFacts>;
}

const remembered = new WeakMap<Db, Remembered>();

type Context = Pick<RequestContext, 'db' | 'instance' | 'now'>;

/**
 * From memory, as long as no setting and no emoji has changed: then a call costs one look at one row, and gives the very same
 * object, so that what is made of it can be remembered with it.
 */
export async function instanceFacts(ctx: Context): Promise<InstanceFacts> {
  const [row] = await ctx.db.query<Pick<InstanceSettingsRow, 'changes'>>(CHANGES);
  const key = `${row?.changes ?? 0} ${ctx.instance.emojis.revision}`;
  const now = Date.parse(ctx.now);
  const source = sourceOf(ctx.db);
  const known = remembered.get(source);
  if (known?.key === key && now < known.until) return known.facts;
  const facts = readFacts(ctx);
  const entry = { key, until: now + COUNTS_LIVE, facts };
  remembered.set(source, entry);
  // A failure is not remembered.
  facts.catch(() => remembered.get(source) === entry && remembered.delete(source));
  return facts;
}

async function readFacts({ db, instance, now }: Context): Promise<InstanceFacts> {
  const [settings, rules, [counts]] = await Promise.all([
    instanceSettings(db),
    rulesOf(db),
    db.query<
      Record<'users' | 'active_month' | 'active_half_year' | 'statuses' | 'domains', string> & {
        has_terms: boolean;
      }
    >(COUNTS, [now.slice(0, 10)]),
  ]);
  const contactId = settings.contact_account_id;
  const [contact] = contactId === null ? [] : await db.query<AccountRow>(CONTACT, [contactId]);
  return {
    settings,
    rules,
    hasTerms: counts?.has_terms === true,
    campaign: annualReportYear(now, settings.annual_reports),
    counts: {
      users: Number(counts?.users),
      activeMonth: Number(counts?.active_month),
      activeHalfYear: Number(counts?.active_half_year),
      statuses: Number(counts?.statuses),
      domains: Number(counts?.domains),
    },
    contact: contact ? (JSON.parse(fillOrigins(accountJson(contact), instance)) as Account) : null,
  };
}

/** Prints something of the facts once, as long as they are the same. */
export function printedOnce(print: (facts: InstanceFacts) => unknown): (facts: InstanceFacts) => string {
  const printed = new WeakMap<InstanceFacts, string>();
  return (facts) => {
    const known = printed.get(facts) ?? JSON.stringify(print(facts));
    printed.set(facts, known);
    return known;
  };
}
