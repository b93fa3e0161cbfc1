import type { InstanceSettings } from '#events/instance.ts';
import { batcherPerDb } from '#kernel/batcher.ts';
import type { RequestContext } from '#kernel/context.ts';
import { type Db, sourceOf, statement } from '#kernel/read.ts';
import { annualReportYear } from '#mastodon/annual-report-window.ts';
import type { Account, Rule } from '#mastodon/schemas/index.ts';
import type { InstanceSettingsRow } from '#projections/instance.ts';
import { ACCOUNT_COLUMNS, ACCOUNT_STATS, accountJson, type AccountRow } from '../entities/account.ts';
import { fillOrigins } from '../entities/ready-json.ts';
import { rulesOf } from './rules.ts';
import { instanceSettings } from './settings.ts';

/** Milliseconds for which counts are reused. Settings are always current. */
const COUNTS_LIVE = 30_000;

const CHANGES = statement<Pick<InstanceSettingsRow, 'changes'>>(
  'instance_changes',
  'select changes from instance_settings where id = 1',
);
const COUNTS = statement<
  Record<'users' | 'active_month' | 'active_half_year' | 'statuses' | 'domains', string> & {
    has_terms: boolean;
  }
>(
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
const CONTACT = statement<AccountRow>(
  'instance_contact',
  `select ${ACCOUNT_COLUMNS} from accounts a ${ACCOUNT_STATS} where a.id = $1 and not a.suspended`,
);

export interface InstanceCounts {
  users: number;
  /** Users who were active within the last 28 and 180 days. */
  activeMonth: number;
  activeHalfYear: number;
  statuses: number;
  /** The number of known servers. */
  domains: number;
}

/** The facts that pages about this server need. */
export interface InstanceFacts {
  settings: InstanceSettings;
  rules: Rule[];
  counts: InstanceCounts;
  hasTerms: boolean;
  /** The year whose annual reports users may make now. */
  annualReport: number | null;
  contact: Account | null;
}

interface Remembered {
  /** Identifies the inputs of the result, without the counts. */
  key: string;
  until: number;
  facts: Promise<InstanceFacts>;
}

const remembered = new WeakMap<Db, Remembered>();

/** The number of changes of settings. Concurrent requests share one query. */
const changes = batcherPerDb<'all', number>(
  (db) => async (asked) => {
    const [row] = await db.query(CHANGES);
    return asked.map(() => row?.changes ?? 0);
  },
  { maxConcurrent: 1 },
);

type Context = Pick<RequestContext, 'db' | 'instance' | 'now'>;

/**
 * Returns facts from memory as long as no setting and no emoji has changed: such a call looks up one row and
 * returns the same object, by which callers may cache results.
 */
export async function instanceFacts(ctx: Context): Promise<InstanceFacts> {
  const key = `${await changes(ctx.db).get('all')} ${ctx.instance.emojis.revision}`;
  const now = Date.parse(ctx.now);
  const source = sourceOf(ctx.db);
  const known = remembered.get(source);
  if (known?.key === key && now < known.until) return known.facts;
  const facts = readFacts(ctx);
  const entry = { key, until: now + COUNTS_LIVE, facts };
  remembered.set(source, entry);
  // A failure is not cached.
  facts.catch(() => remembered.get(source) === entry && remembered.delete(source));
  return facts;
}

async function readFacts({ db, instance, now }: Context): Promise<InstanceFacts> {
  const day = now.slice(0, 10);
  const [settings, rules, [counts]] = await Promise.all([
    instanceSettings(db),
    rulesOf(db),
    db.query(COUNTS, [day]),
  ]);
  const contactId = settings.contact_account_id;
  const [contact] = contactId === null ? [] : await db.query(CONTACT, [contactId]);
  return {
    settings,
    rules,
    hasTerms: counts?.has_terms === true,
    annualReport: annualReportYear(now, settings.annual_reports),
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

/** Caches a text made from the facts, as long as they stay the same. */
export function printedOnce(print: (facts: InstanceFacts) => unknown): (facts: InstanceFacts) => string {
  const printed = new WeakMap<InstanceFacts, string>();
  return (facts) => {
    const known = printed.get(facts) ?? JSON.stringify(print(facts));
    printed.set(facts, known);
    return known;
  };
}
