import { type EventMetadata, OPERATOR } from '#kernel/event.ts';

/**
 * The actions of staff, the operator and automations. Never renamed, because exports and other people's
 * scripts use the names.
 */
export const AUDIT_ACTIONS = [
  'account.created',
  'account.approved',
  'account.rejected',
  'account.confirmed',
  'account.email_changed',
  'account.role_changed',
  'account.password_reset',
  'account.two_factor_disabled',
  'account.token_issued',
  'account.disabled',
  'account.enabled',
  'account.silenced',
  'account.unsilenced',
  'account.sensitized',
  'account.unsensitized',
  'account.suspended',
  'account.unsuspended',
  'account.erased',
  'account.warned',
  'account.data_exported',
  'account.data_imported',
  'account.alias_added',
  'account.alias_removed',
  'account.moved',
  'account.move_cancelled',
  'account.keys_rotated',
  'account.uri_replaced',
  'account.renamed',
  'account.handle_lost',
  'account.recommended',
  'account.recommendation_ended',
  'alert.acknowledged',
  'announcement.created',
  'announcement.updated',
  'announcement.published',
  'announcement.unpublished',
  'announcement.deleted',
  'appeal.created',
  'appeal.withdrawn',
  'appeal.approved',
  'appeal.rejected',
  'application.created',
  'audit_log.exported',
  'audit_log.viewed',
  'canonical_email_block.created',
  'canonical_email_block.deleted',
  'custom_emoji.created',
  'custom_emoji.updated',
  'custom_emoji.deleted',
  'domain_allow.created',
  'domain_allow.deleted',
  'domain_block.created',
  'domain_block.updated',
  'domain_block.deleted',
  'email_domain_block.created',
  'email_domain_block.deleted',
  'ip_block.created',
  'ip_block.updated',
  'ip_block.deleted',
  'host.deliveries_given_up',
  'host.deliveries_retried',
  'projection.event_skipped',
  'projection.event_unskipped',
  'projection.retried',
  'projection.run_cancelled',
  'projection.run_started',
  'reactor.retried',
  'relay.created',
  'relay.enabled',
  'relay.disabled',
  'relay.deleted',
  'report.assigned',
  'report.unassigned',
  'report.updated',
  'report.resolved',
  'report.reopened',
  'report_note.created',
  'rule.created',
  'rule.updated',
  'rule.translation_removed',
  'rule.deleted',
  'rule.reordered',
  'server.log_loss_accepted',
  'server.log_divergence_accepted',
  'server.event_damage_found',
  'server.access_tokens_sealed',
  'server.key_replaced',
  'server.maintenance_done',
  'account.past_viewed',
  'server.restored',
  'settings.updated',
  'status.deleted',
  'status.sensitized',
  'status.unsensitized',
  'tag.review_requested',
  'tag.reviewed',
  'tag.renamed',
  'terms_of_service.published',
  'trend.review_requested',
  'trend.reviewed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of targets of an action. */
export const AUDIT_TARGETS = [
  'account',
  'alert',
  'announcement',
  'appeal',
  'application',
  'audit_log',
  'canonical_email_block',
  'custom_emoji',
  'domain_allow',
  'domain_block',
  'email_domain_block',
  'host',
  'ip_block',
  'projection',
  'reactor',
  'relay',
  'report',
  'report_note',
  'rule',
  'server',
  'settings',
  'status',
  'strike',
  'tag',
  'terms_of_service',
  'trend',
] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** A user, the operator of the server, this software by itself, another server. */
export const AUDIT_ACTORS = ['user', 'operator', 'automation', 'remote'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/** Returns the kind of the actor of an event. An act on another server may name its account too. */
export function actorKindOf({ actor, remote, rule }: EventMetadata): AuditActor {
  if (remote !== undefined) return 'remote';
  if (actor) return 'user';
  return rule === OPERATOR ? 'operator' : 'automation';
}

export interface Actor {
  kind: AuditActor;
  /** The id of an account. */
  id: string | null;
  /** The role at that time. */
  role: string | null;
  /** The name of an automation, or the domain of a server. */
  name: string | null;
}

/** Returns the actor of an event as the audit log and replays show it. */
export function actorOf(metadata: EventMetadata): Actor {
  const { actor, remote, rule } = metadata;
  const kind = actorKindOf(metadata);
  const names: Partial<Record<AuditActor, string | undefined>> = { remote, automation: rule };
  return {
    kind,
    id: actor?.account_id ?? null,
    role: (kind === 'user' ? actor?.role : undefined) ?? null,
    name: names[kind] ?? null,
  };
}
