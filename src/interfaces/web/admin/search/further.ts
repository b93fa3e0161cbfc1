import { addressWith } from '#interfaces/web/page/address-with.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';
import type { ReplaySubject } from '#mastodon/schemas/index.ts';
import { accountPath, AUDIT, FEDERATION, reportPath } from '../addresses.ts';
import { eventAddress, traceAddress } from '../log/addresses.ts';
import type { Meaning } from './meaning.ts';

type Link = readonly [href: string, text: string];

/** Positions of the log are far below the ids of posts, which have eighteen digits. */
const LONGEST_POSITION = 12;

const inAudit = (name: string, value: string): string => addressWith(AUDIT, [[name, value]]);

/** Returns the pages that know more about such a text, as far as the role may open them. */
export function furtherLinks(
  role: string | null,
  meaning: Meaning,
  subjects: readonly ReplaySubject[],
): Link[] {
  const all = [
    ...subjects.flatMap(ofSubject),
    ...ofPosition(meaning),
    ...ofDomain(meaning),
    ...ofHandle(meaning),
    ...ofRequest(meaning),
  ];
  return all.flatMap(([permission, ...link]) => (mayDo(role, permission) ? [link] : []));
}

type Guarded = readonly [permission: Permission, ...Link];

function ofSubject({ kind, id }: ReplaySubject): Guarded[] {
  if (kind === 'account') return [['manage_users', accountPath(id), `Account ${id}`]];
  if (kind === 'report') return [['manage_reports', reportPath(id), `Report ${id}`]];
  if (kind !== 'status') return [];
  return [['view_audit_log', inAudit('status', id), `Acts about post ${id} in the audit log`]];
}

const ofPosition = ({ number }: Meaning): Guarded[] =>
  number === undefined || number.length > LONGEST_POSITION
    ? []
    : [['view_devops', eventAddress(number), `Event at position ${number}`]];

const ofDomain = ({ domain }: Meaning): Guarded[] =>
  domain === undefined
    ? []
    : [
        ['manage_federation', addressWith('/admin/domain_blocks', [['domain', domain]]), 'Blocked domains'],
        ['view_audit_log', inAudit('domain', domain), `Acts about ${domain} in the audit log`],
        ['view_devops', addressWith(FEDERATION, [['q', domain]]), `Deliveries to ${domain}`],
      ];

const ofHandle = ({ handle }: Meaning): Guarded[] =>
  handle === undefined
    ? []
    : [
        ['view_audit_log', inAudit('target', handle), `Acts about @${handle} in the audit log`],
        ['view_audit_log', inAudit('actor', handle), `Acts by @${handle} in the audit log`],
      ];

const ofRequest = ({ correlation }: Meaning): Guarded[] =>
  correlation === undefined
    ? []
    : [
        ['view_devops', traceAddress(correlation), 'Trace of this request'],
        ['view_audit_log', inAudit('correlation_id', correlation), 'Its entries in the audit log'],
      ];
