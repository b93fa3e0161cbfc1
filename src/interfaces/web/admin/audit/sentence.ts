import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { AuditTarget } from '#mastodon/audit-log.ts';
import type { AuditEntry, AuditTargetEntity } from '#mastodon/schemas/index.ts';
import { replayPath } from '../addresses.ts';
import { actText, gravity } from './acts.ts';

/** The kinds of subjects whose history can be replayed, by the kinds of targets. */
const REPLAYED: Partial<Record<AuditTarget, string>> = {
  account: 'account',
  status: 'status',
  report: 'report',
  domain_block: 'domain',
  domain_allow: 'domain',
  rule: 'rule',
};

const NOUNS: Partial<Record<AuditTarget, string>> = {
  status: 'post',
  report_note: 'a note',
  canonical_email_block: 'block',
  ip_block: 'the IP range',
  settings: 'the settings',
  trend: 'a trend',
};

/** Returns the page that replays a subject, if there is one. */
export function replayHref({ type, id, name }: AuditTargetEntity): string | undefined {
  const kind = REPLAYED[type];
  const key = kind === 'domain' ? name : id;
  return kind === undefined || key === null ? undefined : replayPath(kind, key);
}

/** Names a target in plain words. */
export function targetText({ type, id, name }: AuditTargetEntity): string {
  const noun = NOUNS[type] ?? type.replaceAll('_', ' ');
  if (type === 'account') return name === null ? `account ${id}` : `@${name}`;
  if (type === 'settings' || type === 'trend' || type === 'report_note') return noun;
  if (type === 'ip_block') return name === null ? `${noun} ${id} (no longer kept)` : `${noun} ${name}`;
  if (type === 'canonical_email_block') return `${noun} ${id}`;
  return name ?? `${noun} ${id ?? ''}`.trim();
}

/** Renders a target as a link to its history. */
export function targetLink(target: AuditTargetEntity): Html {
  const href = replayHref(target);
  const text = targetText(target);
  return href === undefined ? html`<b>${text}</b>` : html`<a href="${href}">${text}</a>`;
}

/** Renders the posts of an entry, which may be many, or its only target. */
function subjectOf({ targets }: AuditEntry): Part {
  const [main, ...others] = targets;
  if (!main) return '';
  const posts = others.filter(({ type }) => type === 'status');
  const account = others.find(({ type }) => type === 'account');
  const whose = account && html` of ${targetLink(account)}`;
  const report = others.find(({ type }) => type === 'report');
  if (main.type === 'status' && posts.length > 0) return html`${posts.length + 1} posts${whose}`;
  if (main.type === 'report_note' && report)
    return html`a note on ${targetLink(report)}${account && html` about ${targetLink(account)}`}`;
  if (main.type === 'report')
    return html`${targetLink(main)}${account && html` about ${targetLink(account)}`}`;
  return html`${targetLink(main)}${whose}`;
}

/** Renders who acted. */
export function actorText({ actor: { kind, account, role, name } }: AuditEntry): Html {
  if (account) {
    const who = targetLink({ type: 'account', id: account.id, name: account.acct });
    if (kind === 'remote') return html`${who} of the server ${name}`;
    return role === null ? who : html`${who} <span class="quiet">(${role})</span>`;
  }
  if (kind === 'operator') return html`<b>The operator</b> <span class="quiet">(command line)</span>`;
  if (kind === 'remote') return html`The server <b>${name}</b>`;
  return html`The automation <b>${name ?? 'without a name'}</b>`;
}

/** Says in plain words who did what to whom, with which app, and because of which report or appeal. */
export function sentence(entry: AuditEntry): Html {
  const [before = '', after] = actText(entry.action);
  const { application } = entry;
  return html`${actorText(entry)}
  ${before}${after !== undefined && subjectOf(entry)}${after}${
    application &&
    html`<span class="quiet">, with the app ${application.name ?? `${application.id} (deleted)`}</span>`
  }${causeOf(entry)}`;
}

/**
 * Says what the same command did besides: the gravest other action. Names its subject unless there are several, or the
 * sentence has named it.
 */
export function alsoText(entry: AuditEntry, others: readonly AuditEntry[]): Html | false {
  const [next] = others.toSorted((a, b) => gravity(a.action) - gravity(b.action));
  if (!next) return false;
  const alike = others.filter(({ action }) => action === next.action);
  const [before = '', after] = actText(next.action);
  const isNamed = next.targets[0] && entry.targets.some(isSame(next.targets[0]));
  return html`; also ${before}${after !== undefined && objectOf(next, alike.length, isNamed === true)}${after}`;
}

function objectOf(entry: AuditEntry, count: number, isNamed: boolean): Part {
  const type = entry.targets[0]?.type;
  if (count > 1) return counted(count, type === 'status' ? 'post' : (type ?? 'entry').replaceAll('_', ' '));
  if (isNamed && type === 'report') return 'that report';
  return subjectOf(entry);
}

const isSame =
  ({ type, id }: AuditTargetEntity) =>
  (other: AuditTargetEntity): boolean =>
    other.type === type && other.id === id;

/** Names the report or the appeal that an action answers. */
function causeOf({ targets }: AuditEntry): Html | false {
  const [main, ...others] = targets;
  const isItself = main?.type === 'report_note' || main?.type === 'appeal';
  const report = isItself ? undefined : others.find(({ type }) => type === 'report');
  const appeal = others.find(({ type }) => type === 'appeal');
  return (
    (report !== undefined || appeal !== undefined) &&
    html`, because of
    ${report && targetLink(report)}${report && appeal && ' and '}${appeal && appealLink(appeal, targets)}`
  );
}

/** An appeal is part of the history of its account. */
function appealLink(appeal: AuditTargetEntity, targets: readonly AuditTargetEntity[]): Html {
  const account = targets.find(({ type }) => type === 'account');
  const href = account && replayHref(account);
  return href === undefined ? html`${targetText(appeal)}` : html`<a href="${href}">${targetText(appeal)}</a>`;
}
