import { z } from 'zod';
import { userRole } from '#events/accounts.ts';
import { invalid } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { formArray, orAbsent } from '#kernel/input.ts';
import { readCertainMoment } from '#kernel/moments.ts';
import { AUDIT_ACTIONS, AUDIT_ACTORS } from '#mastodon/audit-log.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { roleOf, rolesOf } from '#mastodon/permissions.ts';

/** A filter of entries; all conditions must match, and an empty list is none. */
export interface AuditFilter {
  actor?: string | undefined;
  application?: string | undefined;
  /** An account that was acted on. */
  target?: string | undefined;
  status?: string | undefined;
  report?: string | undefined;
  /** The canonical domain of a block or an allow, or of the account that was acted on. */
  domain?: string | undefined;
  /** An entry matches one word of each list. */
  roles: readonly string[];
  actions: readonly string[];
  /** Entries of these actions are left out. */
  without: readonly string[];
  actorKinds: readonly string[];
  /** Everything that one request or one run of the command line did. */
  correlation?: string | undefined;
  /** ISO 8601; `from` is included, `until` is not. */
  from?: string | undefined;
  until?: string | undefined;
}

/**
 * A list of these words. An unknown word is an error: it would match nothing, and look as if nothing had
 * happened.
 */
const wordsOf = (words: readonly string[], max: number) =>
  formArray(z.enum(words, 'is not included in the list'), max).default([]);

const ROLES = userRole.options.flatMap((name) => [name, roleOf(name).id]);

const idOrNothing = z.string().max(40).optional();
/** An id, or a handle, which `withAccountIds` of `handles.ts` replaces. */
const idOrHandle = z.string().max(320).optional();

/** A day (UTC) or a time, in UTC where no zone is written. */
export const moment = orAbsent(
  z
    .string()
    .max(40)
    .transform((text, refused) => {
      const read = readCertainMoment(text);
      if (read !== undefined) return read;
      refused.addIssue('must be a time such as 2026-12-01, 2026-12-01 20:00 (UTC) or 2026-12-01T20:00:00Z');
      return z.NEVER;
    }),
);

/** The parameters of the list, besides those of its paging. */
export const auditParameters = {
  actor: idOrHandle.describe('The ID or the handle of the account that acted.'),
  actor_kind: wordsOf(AUDIT_ACTORS, 10).describe('Kinds of actors.'),
  role: wordsOf(ROLES, 20).describe('Names or IDs of the roles that the actor had.'),
  application_id: idOrNothing.describe('The ID of the application with which the actor acted.'),
  target: idOrHandle.describe('The ID or the handle of the account that the action was about.'),
  status: idOrNothing.describe('The ID of a status that the action was about.'),
  report: idOrNothing.describe('The ID of the report that the action was about.'),
  domain: z
    .string()
    .max(500)
    .optional()
    .describe('The blocked or allowed domain, or that of the account that the action was about.'),
  action: wordsOf(AUDIT_ACTIONS, 200).describe('Names of actions.'),
  exclude_action: wordsOf(AUDIT_ACTIONS, 200).describe('Names of actions that are left out.'),
  correlation_id: z
    .string()
    .max(100)
    .optional()
    .describe('What this request or command did, with its consequences.'),
  from: moment.describe('The first moment: a day or a time, in UTC unless it has a zone; included.'),
  until: moment.describe('The last moment: a day or a time, in UTC unless it has a zone; excluded.'),
};

/** Parses the same parameters from the command line. @throws RookeryError `invalid` */
export const parseAuditFilter = (given: Record<string, unknown>): AuditFilter =>
  auditFilter(parseGiven(z.object(auditParameters), given));

/** Parses the arguments of the command line. @throws RookeryError `invalid` */
export function parseGiven<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '));
}

/**
 * Throws RookeryError `invalid` for a range that ends before it starts: it would look as if nothing had been
 * done.
 */
export function auditFilter(query: z.output<z.ZodObject<typeof auditParameters>>): AuditFilter {
  const { from, until } = query;
  if (from !== undefined && until !== undefined && until < from) throw invalid('until is before from');
  return {
    actor: idOf(query.actor),
    application: idOf(query.application_id),
    target: idOf(query.target),
    status: idOf(query.status),
    report: idOf(query.report),
    domain: domainOf(query.domain),
    roles: query.role.flatMap((role) => [role, ...rolesOf([role])]),
    actions: query.action,
    without: query.exclude_action,
    correlation: query.correlation_id || undefined,
    actorKinds: query.actor_kind,
    from,
    until,
  };
}

/** Text that is no id matches nothing. */
const idOf = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : isId(text) ? text : '0';

/** Text that is no domain matches nothing. */
const domainOf = (text: string | undefined): string | undefined => {
  const given = text?.trim() ?? '';
  return given === '' ? undefined : (canonicalDomain(given) ?? given);
};
