import { invalid, isRookeryError, type RookeryError } from '#kernel/errors.ts';
import type { ImportType } from '#mastodon/portability.ts';
import type { Column } from './rows.ts';

const MISMATCH = 'ERR_MISMATCH';

/** The columns that only files of one kind have. */
const BY_COLUMN: readonly (readonly [ImportType, readonly Column[]])[] = [
  ['following', ['reblogs', 'notify', 'languages']],
  ['mutes', ['notifications']],
  ['lists', ['list']],
  ['domain-blocks', ['domain']],
  ['bookmarks', ['uri']],
];

/** The first that matches is meant: the names that Mastodon, its relatives and users give to exports. */
const BY_NAME: readonly (readonly [ImportType, RegExp])[] = [
  ['domain-blocks', /domain/],
  ['following', /follow/],
  ['mutes', /mute/],
  ['blocks', /block/],
  ['bookmarks', /bookmark/],
  ['lists', /list/],
];

/** Names the content of a file in the sentence that asks. */
const CONTENT: Record<ImportType, string> = {
  following: 'accounts to follow',
  blocks: 'accounts to block',
  mutes: 'accounts to mute',
  'domain-blocks': 'domains to block',
  lists: 'lists',
  bookmarks: 'bookmarks',
};

/**
 * Returns the kind that a file seems to be of where that is not the chosen one. Its columns count before its
 * name; undefined where neither says anything.
 */
export function otherKind(
  type: ImportType,
  { columns, fileName = '' }: { columns: readonly (Column | undefined)[]; fileName?: string | undefined },
): ImportType | undefined {
  const name = fileName.toLowerCase();
  const [kind] =
    BY_COLUMN.find(([, own]) => own.some((column) => columns.includes(column))) ??
    BY_NAME.find(([, pattern]) => pattern.test(name)) ??
    [];
  return kind === type ? undefined : kind;
}

/** @throws RookeryError `invalid` for the field `type` where a file seems to be of another kind than was chosen */
export function refuseOtherKind(type: ImportType, file: Parameters<typeof otherKind>[1]): void {
  const other = otherKind(type, file);
  if (other === undefined) return;
  const description = `does not fit the file, which seems to contain ${CONTENT[other]}`;
  throw invalid(`The file seems to contain ${CONTENT[other]}, and you chose ${CONTENT[type]}`, {
    type: [{ error: MISMATCH, description }],
  });
}

/** Tells whether an import was refused because the file seems to be of another kind. */
export const isOtherKind = (error: unknown): error is RookeryError =>
  isRookeryError(error) && error.extras.details?.['type']?.[0]?.error === MISMATCH;
