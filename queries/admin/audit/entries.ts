import type { AuditAction, AuditActor, AuditTarget } from '#mastodon/audit-log.ts';
import type { AuditChange, AuditEntry, AuditTargetEntity } from '#mastodon/schemas/index.ts';
import { shownDomain } from '#queries/entities/handles.ts';

/** The columns of `audit_entries e`; `AUDIT_JOINS` are their joins. */
export const AUDIT_COLUMNS = `e.position, e.event_id, e.created_at, e.action, e.actor_kind, e.actor_id, e.actor_role,
  e.actor_name, e.application_id, e.target_type, e.target_id, e.target_name, e.account_id, e.report_id, e.strike_id,
  e.appeal_id, e.changes, e.command_id, e.correlation_id, e.causation_id,
  ea.username as actor_username, ea.domain as actor_domain, et.username as account_username, ${shownDomain('et')} as account_domain,
  ep.name as application_name,
  case when e.appeal_id is not null then
    (select case e.action when 'appeal.created' then p.text when 'appeal.withdrawn' then null else p.note end
     from appeals p where p.id = e.appeal_id)
  else coalesce((select w.text from account_warnings w where w.id = e.strike_id),
    (select n.content from report_notes n where n.id = e.note_id)) end as text,
  case when e.target_type = 'ip_block' then
    (select text(b.ip) from ip_blocks b where b.id = e.target_id order by b.created_at desc limit 1) end as ip,
  array(select s.status_id::text from audit_statuses s where s.position = e.position order by s.status_id) as status_ids`;

export const AUDIT_JOINS = `left join accounts ea on ea.id = e.actor_id left join accounts et on et.id = e.account_id
  left join applications ep on ep.id = e.application_id`;

export interface AuditRow {
  position: string;
  event_id: string;
  created_at: string;
  action: AuditAction;
  actor_kind: AuditActor;
  actor_id: string | null;
  actor_role: string | null;
  actor_name: string | null;
  application_id: string | null;
  target_type: AuditTarget;
  target_id: string | null;
  target_name: string | null;
  account_id: string | null;
  report_id: string | null;
  strike_id: string | null;
  appeal_id: string | null;
  /** A JSON text. */
  changes: string;
  command_id: string;
  correlation_id: string;
  causation_id: string | null;
  actor_username: string | null;
  actor_domain: string | null;
  account_username: string | null;
  account_domain: string | null;
  application_name: string | null;
  text: string | null;
  /** The range of an existing block. */
  ip: string | null;
  status_ids: string[];
}

export function auditEntry(row: AuditRow): AuditEntry {
  const { position, event_id, created_at, action, command_id, correlation_id, causation_id } = row;
  return {
    id: position,
    position,
    event_id,
    created_at,
    action,
    actor: {
      kind: row.actor_kind,
      account:
        row.actor_id === null ? null : { id: row.actor_id, acct: acct(row.actor_username, row.actor_domain) },
      role: row.actor_role,
      name: row.actor_name,
    },
    application: row.application_id === null ? null : { id: row.application_id, name: row.application_name },
    targets: targetsOf(row),
    text: row.text || null,
    changes: JSON.parse(row.changes) as AuditChange[],
    command_id,
    correlation_id,
    causation_id,
  };
}

/** Returns the main target, and related ones. */
function targetsOf(row: AuditRow): AuditTargetEntity[] {
  const { target_type: type, target_id: id, report_id, strike_id, appeal_id, account_id, status_ids } = row;
  const account = acct(row.account_username, row.account_domain);
  const name = type === 'account' ? account : (row.target_name ?? row.ip);
  return [
    { type, id, name },
    ...(account_id === null || type === 'account'
      ? []
      : [{ type: 'account' as const, id: account_id, name: account }]),
    ...(report_id === null || type === 'report' ? [] : [unnamed('report', report_id)]),
    ...(appeal_id === null || type === 'appeal' ? [] : [unnamed('appeal', appeal_id)]),
    ...(strike_id === null ? [] : [unnamed('strike', strike_id)]),
    ...status_ids
      .filter((statusId) => type !== 'status' || statusId !== id)
      .map((statusId) => unnamed('status', statusId)),
  ];
}

const unnamed = (type: AuditTarget, id: string): AuditTargetEntity => ({ type, id, name: null });

const acct = (username: string | null, domain: string | null): string | null =>
  username === null || domain === null ? username : `${username}@${domain}`;
