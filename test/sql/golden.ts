import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The statements that run most often or read most rows. The names are those of the code. */
export const HOT_STATEMENTS: Readonly<Record<string, string>> = {
  authenticate: 'the token of a request',
  timeline_home_fanned_out: 'home timeline: entries fanned out on write',
  timeline_home_desc: 'home timeline: posts fanned out on read',
  timeline_public_desc: 'public timeline',
  timeline_tag_desc: 'hashtag timeline',
  timeline_list_desc: 'list timeline',
  account_statuses_desc: 'statuses of an account',
  statuses_find: 'statuses by id',
  status_ancestors: 'context: ancestors',
  status_descendants: 'context: descendants',
  notifications_page_all_desc: 'notifications',
  notification_groups_page_all_desc: 'grouped notifications',
  account_relationships: 'relationships',
  account_credentials: 'credentials of the user',
  accounts_search: 'account search',
  filters_of_account: 'filters',
  lists_all: 'lists',
  conversations_desc: 'conversations',
  home_arrive: 'fan-out of a post to home timelines',
  home_follow_backfill: 'home timeline after a follow',
  home_entries_fill: 'home timeline of a user who returns',
  home_entries_trim: 'daily trim of a home timeline',
  log_append: 'append to the log',
  log_read_all: 'read of the log from a position',
  log_read_stream: 'read of a stream',
  federation_claim: 'claim of deliveries',
  inbox_claim: 'claim of inbox jobs',
};

const fileOf = (name: string): string => join(import.meta.dirname, 'golden', `${name}.sql`);

export const readGolden = (name: string): Promise<string> => readFile(fileOf(name), 'utf8');

export const writeGolden = (name: string, text: string): Promise<void> => writeFile(fileOf(name), text);

/** Returns the SQL as it is in a golden file: without the indentation that its lines share in the code. */
export function goldenForm(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const indentations = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const shared = Math.min(...indentations);
  const lines = [first, ...rest.map((line) => line.slice(shared))];
  return `${lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')}\n`;
}
