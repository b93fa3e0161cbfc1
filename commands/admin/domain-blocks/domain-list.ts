import { type DomainRules, domainSeverity, MAX_COMMENT_LENGTH } from '#events/admin-domain-blocks.ts';
import { invalid } from '#kernel/errors.ts';
import { csvLine, plainCell } from '#mastodon/csv.ts';
import { canonicalDomain, withParents } from '#mastodon/domain-name.ts';
import { readCsv, separatorOf } from '#mastodon/read-csv.ts';

/** The rules that a list states for a domain. A rule without a column is absent. */
export type ListedRules = Pick<DomainRules, 'severity'> & Partial<Omit<DomainRules, 'severity'>>;

export interface ListedDomain {
  line: number;
  /** Canonical. */
  domain: string;
  rules: ListedRules;
}

export interface DomainList {
  listed: ListedDomain[];
  /** Unusable lines, each with the reason. */
  invalid: { line: number; reason: string }[];
}

const COLUMNS = [
  'domain',
  'severity',
  'reject_media',
  'reject_reports',
  'public_comment',
  'obfuscate',
] as const;
type Column = (typeof COLUMNS)[number];
/** A longer line is no domain; messages cut it. */
const MAX_SHOWN = 60;

/** The first line of Mastodon's export. */
export const LIST_HEADER = csvLine(COLUMNS.map((name) => `#${name}`));

/** Returns a block as a line of such a list. */
export const listLine = (domain: string, rules: DomainRules): string =>
  csvLine([
    domain,
    rules.severity,
    String(rules.reject_media),
    String(rules.reject_reports),
    rules.public_comment ?? '',
    String(rules.obfuscate),
  ]);

/** The first line of a list of allowed domains. */
export const ALLOW_HEADER = csvLine(['#domain']);

/**
 * Reads a list in Mastodon's form, or a list with one domain per line. The default severity is `suspend`.
 * Other lines that begin with `#` are comments.
 * @param own the domains of this server, which no list may name
 * @throws RookeryError `invalid` for text that is no table, and for more than `most` lines
 */
export function readDomainList(text: string, own: readonly string[], most = Infinity): DomainList {
  const list: DomainList = { listed: [], invalid: [] };
  const lineOf = new Map<string, number>();
  let columns: readonly (Column | undefined)[] | undefined;
  for (const { line, cells } of readCsv(
    text,
    separatorOf(text, (first) => headerOf(first) !== undefined),
  )) {
    const header = columns ? undefined : headerOf(cells);
    if (header) columns = header;
    if (header || cells[0]?.startsWith('#')) continue;
    columns ??= ['domain'];
    if (list.listed.length + list.invalid.length >= most) {
      throw invalid(`The list has more than ${most} lines: import it in parts`);
    }
    const read = rowOf(cells, columns, own);
    if (typeof read === 'string') {
      list.invalid.push({ line, reason: read });
      continue;
    }
    const earlier = lineOf.get(read.domain);
    if (earlier !== undefined) {
      list.invalid.push({ line, reason: `${read.domain} is on line ${earlier} already` });
      continue;
    }
    lineOf.set(read.domain, line);
    list.listed.push({ line, ...read });
  }
  return list;
}

function headerOf(cells: readonly string[]): (Column | undefined)[] | undefined {
  const names = cells.map((cell) => cell.trim().replace(/^#/, '').toLowerCase());
  if (!names.includes('domain')) return undefined;
  return names.map((name) => COLUMNS.find((column) => column === name));
}

type Given = (name: Column) => string | undefined;

/** Returns the rules of a line, or the reason why it is unusable. */
function rowOf(
  cells: readonly string[],
  columns: readonly (Column | undefined)[],
  own: readonly string[],
): string | Omit<ListedDomain, 'line'> {
  if (cells.length > columns.length) return 'has more columns than the first line of the file names';
  const given: Given = (name) => cells[columns.indexOf(name)]?.trim();
  const name = given('domain') ?? '';
  const domain = canonicalDomain(name);
  if (!domain?.includes('.')) return `${JSON.stringify(name.slice(0, MAX_SHOWN))} is no domain`;
  if (own.some((each) => withParents(each).includes(domain))) return `${domain} is where this server is`;
  const rules = rulesOf(given);
  return typeof rules === 'string' ? rules : { domain, rules };
}

function rulesOf(given: Given): string | ListedRules {
  const severity = domainSeverity.safeParse((given('severity') || 'suspend').toLowerCase());
  if (!severity.success) return `the severity is none of ${domainSeverity.options.join(', ')}`;
  const rules: ListedRules = { severity: severity.data };
  for (const flag of ['reject_media', 'reject_reports', 'obfuscate'] as const) {
    const text = given(flag);
    const value = FLAGS.get(text?.toLowerCase() ?? '');
    if (value === undefined) return `${flag} is neither true nor false`;
    if (text !== undefined) rules[flag] = value;
  }
  const comment = given('public_comment');
  if (comment === undefined) return rules;
  if (comment.length > MAX_COMMENT_LENGTH) return 'the comment is too long';
  return { ...rules, public_comment: plainCell(comment) || null };
}

const FLAGS = new Map([
  ['true', true],
  ['false', false],
  ['', false],
]);
