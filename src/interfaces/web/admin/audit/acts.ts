import type { AuditAction } from '#mastodon/audit-log.ts';

/** A topic of the audit log, with its actions: a short name, and what is said of the actor; `#` is the target. */
interface Topic {
  title: string;
  acts: Partial<Record<AuditAction, readonly [name: string, said: string]>>;
}

export const TOPICS: readonly Topic[] = [
  {
    title: 'Accounts: sanctions',
    acts: {
      'account.warned': ['Warning', 'warned #'],
      'account.sensitized': ['Marked as sensitive', 'marked all posts of # as sensitive'],
      'account.unsensitized': ['Mark as sensitive lifted', 'stopped marking the posts of # as sensitive'],
      'account.disabled': ['Frozen', 'froze #'],
      'account.enabled': ['Freeze lifted', 'unfroze #'],
      'account.silenced': ['Limited', 'limited #'],
      'account.unsilenced': ['Limit lifted', 'lifted the limit of #'],
      'account.suspended': ['Suspended', 'suspended #'],
      'account.unsuspended': ['Suspension lifted', 'lifted the suspension of #'],
      'account.erased': ['Erased', 'erased #'],
    },
  },
  {
    title: 'Posts',
    acts: {
      'status.deleted': ['Post deleted', 'deleted #'],
      'status.sensitized': ['Post marked as sensitive', 'marked # as sensitive'],
      'status.unsensitized': ['Mark removed from a post', 'stopped marking # as sensitive'],
    },
  },
  {
    title: 'Reports and appeals',
    acts: {
      'report.assigned': ['Report claimed', 'claimed #'],
      'report.unassigned': ['Report unassigned', 'unassigned #'],
      'report.updated': ['Report changed', 'changed #'],
      'report.resolved': ['Report resolved', 'resolved #'],
      'report.reopened': ['Report reopened', 'reopened #'],
      'report_note.created': ['Note on a report', 'left #'],
      'appeal.created': ['Appeal filed', 'filed #'],
      'appeal.withdrawn': ['Appeal withdrawn', 'withdrew #'],
      'appeal.approved': ['Appeal approved', 'approved #'],
      'appeal.rejected': ['Appeal rejected', 'rejected #'],
    },
  },
  {
    title: 'Accounts: sign-up and access',
    acts: {
      'account.created': ['Account created', 'created the account #'],
      'account.approved': ['Sign-up approved', 'approved the sign-up of #'],
      'account.rejected': ['Sign-up rejected', 'rejected the sign-up of #'],
      'account.confirmed': ['E-mail address confirmed', 'confirmed the e-mail address of #'],
      'account.email_changed': ['E-mail address changed', 'changed the e-mail address of #'],
      'account.role_changed': ['Role changed', 'changed the role of #'],
      'account.password_reset': ['Password reset', 'reset the password of #'],
      'account.two_factor_disabled': ['Two-factor turned off', 'turned off two-factor sign-in of #'],
      'account.token_issued': ['Access token issued', 'issued an access token for #'],
      'account.past_viewed': ['Past state viewed', 'viewed the past as # saw it'],
    },
  },
  {
    title: 'Accounts: data and moves',
    acts: {
      'account.data_exported': ['Data exported', 'exported the data of #'],
      'account.data_imported': ['Data imported', 'imported data for #'],
      'account.alias_added': ['Alias added', 'added an alias to #'],
      'account.alias_removed': ['Alias removed', 'removed an alias from #'],
      'account.moved': ['Moved', 'moved # to another account'],
      'account.move_cancelled': ['Move cancelled', 'cancelled the move of #'],
      'account.keys_rotated': ['Keys rotated', 'rotated the keys of #'],
      'account.uri_replaced': ['Address replaced', 'took over a new address of #'],
      'account.renamed': ['Renamed', 'took over a new name of #'],
      'account.handle_lost': ['Handle lost', 'gave the handle of # to another account'],
      'account.recommended': ['Recommended', 'recommended # to new users'],
      'account.recommendation_ended': ['Recommendation ended', 'stopped recommending #'],
    },
  },
  {
    title: 'Servers and addresses',
    acts: {
      'domain_block.created': ['Server blocked', 'blocked the server #'],
      'domain_block.updated': ['Block of a server changed', 'changed the block of the server #'],
      'domain_block.deleted': ['Server unblocked', 'unblocked the server #'],
      'domain_allow.created': ['Server allowed', 'allowed the server #'],
      'domain_allow.deleted': ['Server no longer allowed', 'stopped allowing the server #'],
      'email_domain_block.created': ['E-mail domain blocked', 'blocked sign-ups with addresses at #'],
      'email_domain_block.deleted': ['E-mail domain unblocked', 'allowed sign-ups with addresses at #'],
      'canonical_email_block.created': [
        'E-mail address blocked',
        'blocked sign-ups with one e-mail address, #',
      ],
      'canonical_email_block.deleted': [
        'E-mail address unblocked',
        'allowed sign-ups with one e-mail address, #',
      ],
      'ip_block.created': ['IP range blocked', 'blocked #'],
      'ip_block.updated': ['Block of an IP range changed', 'changed the block of #'],
      'ip_block.deleted': ['IP range unblocked', 'unblocked #'],
      'relay.created': ['Relay added', 'added the relay #'],
      'relay.enabled': ['Relay enabled', 'enabled the relay #'],
      'relay.disabled': ['Relay disabled', 'disabled the relay #'],
      'relay.deleted': ['Relay removed', 'removed the relay #'],
    },
  },
  {
    title: 'Trends and hashtags',
    acts: {
      'tag.review_requested': ['Review of a hashtag requested', 'requested a review of the hashtag #'],
      'tag.reviewed': ['Hashtag reviewed', 'reviewed the hashtag #'],
      'tag.renamed': ['Hashtag renamed', 'changed how the hashtag # is shown'],
      'trend.review_requested': ['Review of a trend requested', 'requested a review of #'],
      'trend.reviewed': ['Trend reviewed', 'reviewed #'],
    },
  },
  {
    title: 'Settings of the server',
    acts: {
      'settings.updated': ['Settings changed', 'changed #'],
      'rule.created': ['Rule added', 'added #'],
      'rule.updated': ['Rule changed', 'changed #'],
      'rule.translation_removed': ['Translation of a rule removed', 'removed a translation of #'],
      'rule.deleted': ['Rule deleted', 'deleted #'],
      'rule.reordered': ['Rules reordered', 'changed the order of the rules'],
      'terms_of_service.published': ['Terms published', 'published the terms of service'],
      'announcement.created': ['Announcement written', 'wrote #'],
      'announcement.updated': ['Announcement changed', 'changed #'],
      'announcement.published': ['Announcement published', 'published #'],
      'announcement.unpublished': ['Announcement unpublished', 'unpublished #'],
      'announcement.deleted': ['Announcement deleted', 'deleted #'],
      'custom_emoji.created': ['Emoji added', 'added the emoji #'],
      'custom_emoji.updated': ['Emoji changed', 'changed the emoji #'],
      'custom_emoji.deleted': ['Emoji deleted', 'deleted the emoji #'],
      'application.created': ['App registered', 'registered the app #'],
    },
  },
  {
    title: 'Operation',
    acts: {
      'server.maintenance_done': ['Maintenance', 'ran maintenance'],
      'server.restored': ['Backup restored', 'restored a backup'],
      'server.log_loss_accepted': ['Loss accepted', 'accepted that the log lost its end'],
      'server.log_divergence_accepted': [
        'Divergence accepted',
        'accepted a log that contradicts a checkpoint',
      ],
      'server.event_damage_found': ['Damaged event found', 'found a damaged event in the log'],
      'server.access_tokens_sealed': ['Tokens sealed', 'sealed the access tokens that existed'],
      'server.key_replaced': ['Key replaced', 'replaced a key of the server'],
      'projection.run_started': ['Build of a projection started', 'started a build of the projection #'],
      'projection.run_cancelled': [
        'Build of a projection cancelled',
        'cancelled a build of the projection #',
      ],
      'projection.retried': ['Projection retried', 'retried the projection #'],
      'reactor.retried': ['Reactor retried', 'retried failed events of the reactor #'],
      'host.deliveries_retried': ['Deliveries retried', 'sent the deliveries to # again'],
      'host.deliveries_given_up': ['Deliveries given up', 'gave up the deliveries to #'],
      'alert.acknowledged': ['Alert acknowledged', 'acknowledged the alert #'],
      'projection.event_skipped': ['Event skipped', 'skipped an event in the projection #'],
      'projection.event_unskipped': [
        'Event no longer skipped',
        'stopped skipping an event in the projection #',
      ],
    },
  },
  {
    title: 'The audit log itself',
    acts: {
      'audit_log.viewed': ['Audit log viewed', 'viewed the audit log'],
      'audit_log.exported': ['Audit log exported', 'exported the audit log'],
    },
  },
];

const ACTS: ReadonlyMap<string, readonly [name: string, said: string]> = new Map(
  TOPICS.flatMap(({ acts }) => Object.entries(acts)),
);

/** Returns the short name of an action. */
export const actName = (action: AuditAction): string => ACTS.get(action)?.[0] ?? action;

/** Returns what an action says of its actor, cut where the target belongs. */
export const actText = (action: AuditAction): string[] => (ACTS.get(action)?.[1] ?? action).split('#');

/** The grave actions, the gravest first: a command that does several things is about the first of them. */
const GRAVEST: readonly AuditAction[] = [
  'account.erased',
  'account.suspended',
  'account.rejected',
  'account.disabled',
  'account.silenced',
  'account.sensitized',
  'status.deleted',
  'status.sensitized',
  'account.warned',
  'appeal.approved',
  'appeal.rejected',
  'account.unsuspended',
  'account.enabled',
  'account.unsilenced',
  'account.unsensitized',
  'status.unsensitized',
];
const LEAST: readonly AuditAction[] = ['report.resolved', 'report.assigned'];

/** Orders actions by their gravity: the lower, the graver. */
export function gravity(action: AuditAction): number {
  const place = GRAVEST.indexOf(action);
  if (place !== -1) return place;
  return GRAVEST.length + 1 + LEAST.indexOf(action);
}
