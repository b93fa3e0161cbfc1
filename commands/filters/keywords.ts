import type { FilterEvent, FilterKeyword } from '#events/filters.ts';
import { notFound } from '#kernel/errors.ts';
import type { FieldProblems } from '#kernel/field-problems.ts';
import type { Id } from '#kernel/ids.ts';
import type { ExistingFilter } from './filter.ts';
import type { KeywordAttributes, KeywordInput } from './input.ts';
import { checkText } from './text.ts';

/** Characters, as in Mastodon. Keywords of earlier versions may be longer. */
export const MAX_KEYWORD = 512;
/** One keyword of a request, with its id if it is new. */
export type KeywordEdit = KeywordAttributes & { new_id: Id };
export interface KeywordChanges {
  added: FilterKeyword[];
  changed: FilterKeyword[];
  removed: Id[];
}
type Keywords = ExistingFilter['keywords'];

/**
 * Applies the edits of a request to the keywords of a filter, one after another as in Rails' nested
 * attributes.
 * @throws RookeryError `not_found` for a keyword that the filter does not have
 */
export function editKeywords(
  before: Keywords,
  edits: readonly KeywordEdit[],
  problems: FieldProblems,
): KeywordChanges {
  const after = new Map(before);
  for (const edit of edits) {
    const id = edit.id || undefined;
    const known = id === undefined ? undefined : after.get(id);
    if (id !== undefined && !known) throw notFound();
    if (edit._destroy === true) {
      if (id !== undefined) after.delete(id);
      continue;
    }
    if (id === undefined && isEmpty(edit)) continue;
    const keyword = edited(known, edit);
    checkText('keywords_keyword', keyword.keyword, MAX_KEYWORD, problems);
    after.set(id ?? edit.new_id, keyword);
  }
  return changesBetween(before, after);
}

/** Returns the event, if anything changed. */
export function keywordsEdited(
  { filter_id, account_id }: Pick<ExistingFilter, 'filter_id' | 'account_id'>,
  changes: KeywordChanges,
): FilterEvent[] {
  const { added, changed, removed } = changes;
  if (added.length + changed.length + removed.length === 0) return [];
  return [{ type: 'FilterKeywordsEdited', data: { filter_id, account_id, ...changes } }];
}

/**
 * Omitted fields keep their value. A new keyword matches whole words unless the request says otherwise, as in
 * Mastodon.
 */
const edited = (
  known: Omit<FilterKeyword, 'id'> | undefined,
  { keyword, whole_word: wholeWord }: KeywordInput,
): Omit<FilterKeyword, 'id'> => ({
  keyword: keyword === undefined && known ? known.keyword : (keyword ?? ''),
  whole_word: wholeWord ?? known?.whole_word ?? true,
});

/** Tells whether this is an empty line of a form. */
const isEmpty = ({ keyword, whole_word: wholeWord }: KeywordInput): boolean =>
  (keyword ?? '').trim() === '' && wholeWord !== true;

function changesBetween(before: Keywords, after: Keywords): KeywordChanges {
  const changes: KeywordChanges = { added: [], changed: [], removed: [] };
  for (const [id, now] of after) {
    const then = before.get(id);
    if (!then) changes.added.push({ id, ...now });
    else if (then.keyword !== now.keyword || then.whole_word !== now.whole_word) {
      changes.changed.push({ id, ...now });
    }
  }
  changes.removed = [...before.keys()].filter((id) => !after.has(id));
  return changes;
}
