import type { AccountEvent } from '#events/accounts.ts';
import type { DomainBlockEvent } from '#events/admin-domain-blocks.ts';
import type { DomainAllowEvent } from '#events/domain-allows.ts';
import type { EmailDomainBlockEvent } from '#events/email-domain-blocks.ts';
import type { InstanceEvent } from '#events/instance.ts';
import type { ReportEvent } from '#events/reports.ts';
import type { StatusEvent } from '#events/statuses.ts';
import type { RecommendationEvent } from '#events/suggestions.ts';
import type { PastEvent } from '#kernel/services/past-events.ts';
import type {
  ReplayAccount,
  ReplayDomain,
  ReplayPost,
  ReplayReport,
  ReplayRule,
  ReplayStrike,
} from '#mastodon/schemas/index.ts';

type Event =
  | AccountEvent
  | DomainAllowEvent
  | DomainBlockEvent
  | EmailDomainBlockEvent
  | InstanceEvent
  | RecommendationEvent
  | ReportEvent
  | StatusEvent;

/** An event of one of the streams of a replay. */
export type Past<Known extends Event = Event> = Omit<PastEvent, 'type' | 'data'> & Known;

/** The flags that decide who sees an account, before those of its server are added. */
export type AccountFacts = Omit<ReplayAccount, 'audience' | 'domain_severity'>;
/** `marks` are the strikes that mark the post as sensitive. */
export type PostFacts = Omit<ReplayPost, 'audience' | 'sensitized_by_staff'> & { marks: readonly string[] };
/** A strike, with the account that it concerns. */
export type StrikeFacts = ReplayStrike & { account_id: string };
export type RuleFacts = Omit<ReplayRule, 'place'>;

/** The state of all things whose streams a replay has, at one position. */
export interface World {
  accounts: ReadonlyMap<string, AccountFacts>;
  posts: ReadonlyMap<string, PostFacts>;
  reports: ReadonlyMap<string, ReplayReport>;
  strikes: ReadonlyMap<string, StrikeFacts>;
  domains: ReadonlyMap<string, ReplayDomain>;
  rules: ReadonlyMap<string, RuleFacts>;
  /** The ids of the rules in their order. */
  ruleOrder: readonly string[];
  settings: Readonly<Record<string, unknown>>;
}

/** Returns a map with one value replaced; undefined removes it. */
export function withValue<Value>(
  map: ReadonlyMap<string, Value>,
  key: string,
  value: Value | undefined,
): ReadonlyMap<string, Value> {
  if (value === map.get(key)) return map;
  const changed = new Map(map);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}

/** Returns the state of a text that an event has. */
export const shownOf = ({ erased }: { erased: boolean }): 'whole' | 'erased' => (erased ? 'erased' : 'whole');
