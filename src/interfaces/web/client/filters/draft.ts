import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { invalid, type ValidationDetail } from '#kernel/errors.ts';
import type { Json, JsonObject } from '#kernel/event.ts';
import type { Filter } from '#mastodon/schemas/index.ts';
import { ACTIONS, CONTEXTS, EXPIRIES, KEEP } from './texts.ts';

/** One keyword in a form: without an id it is new, and without a text too it is an empty row. */
export interface KeywordRow {
  id: string;
  keyword: string;
  wholeWord: boolean;
  removed: boolean;
}

/** A filter as it stands in its form. */
export interface FilterDraft {
  title: string;
  context: readonly string[];
  action: string;
  /** One of `EXPIRIES`, or `KEEP`. */
  expiry: string;
  keywords: readonly KeywordRow[];
}

const EMPTY: KeywordRow = { id: '', keyword: '', wholeWord: true, removed: false };
/** Empty rows for further keywords. */
const EXTRA = 3;
/** Rows of one form; a filter may have more keywords, which are on further pages. */
export const MAX_ROWS = 40;
/** Characters, as in Mastodon. */
export const MAX_KEYWORD = 512;

export const NEW_FILTER: FilterDraft = {
  title: '',
  context: ['home', 'notifications', 'public', 'thread'],
  action: 'warn',
  expiry: '',
  keywords: [EMPTY, EMPTY, EMPTY],
};

/** Returns a filter as a form; its keywords from `offset` on. */
export const draftOf = (filter: Filter, offset: number): FilterDraft => ({
  title: filter.title,
  context: filter.context,
  action: filter.filter_action,
  expiry: filter.expires_at === null ? '' : KEEP,
  keywords: [
    ...(filter.keywords ?? [])
      .slice(offset, offset + MAX_ROWS)
      .map(({ id, keyword, whole_word: wholeWord }) => ({ id, keyword, wholeWord, removed: false })),
    EMPTY,
  ],
});

/** Returns the submitted form. */
export const draftIn = (sent: JsonObject): FilterDraft => ({
  title: textIn(sent['title']),
  context: listIn(sent['context']).map(textIn),
  action: textIn(sent['filter_action']),
  expiry: textIn(sent['expires_in']),
  keywords: listIn(sent['keywords'])
    .slice(0, MAX_ROWS + 60)
    .map(rowIn),
});

/** Adds empty rows to the form. */
export const withMoreRows = (draft: FilterDraft): FilterDraft => ({
  ...draft,
  keywords: [...draft.keywords, ...Array.from({ length: EXTRA }, () => EMPTY)],
});

/**
 * Returns the draft as input of the API. `hasOther`: the filter has keywords or posts besides those of the form.
 * @throws RookeryError `invalid` with all problems
 */
export function inputOf(draft: FilterDraft, hasOther: boolean) {
  const problems = problemsOf(draft, hasOther);
  if (Object.keys(problems).length > 0) throw invalid('The filter is not complete.', problems);
  const { title, context, action, expiry, keywords } = draft;
  return {
    title,
    context: context.map(asSent),
    filter_action: asSent(action),
    ...(expiry === KEEP ? {} : { expires_in: expiry }),
    keywords_attributes: keywords
      .filter(isUsed)
      .map(({ id, keyword, wholeWord, removed }) => ({
        ...(id === '' ? {} : { id }),
        keyword,
        whole_word: wholeWord,
        _destroy: removed,
      })),
  };
}

type Problems = Record<string, ValidationDetail[]>;

function problemsOf({ title, context, action, expiry, keywords }: FilterDraft, hasOther: boolean): Problems {
  const used = keywords.filter((row) => isUsed(row) && !row.removed);
  const found: (readonly [string, string] | false)[] = [
    title.trim() === '' && ['title', "can't be blank"],
    context.length === 0 && ['context', 'needs at least one place'],
    context.some((name) => !Object.hasOwn(CONTEXTS, name)) && ['context', 'has an unknown place'],
    !Object.hasOwn(ACTIONS, action) && ['action', 'is not one of the choices'],
    expiry !== KEEP &&
      !EXPIRIES.some(({ value }) => value === expiry) && ['end', 'is not one of the choices'],
    used.length === 0 && !hasOther && ['keywords', 'need at least one word or phrase'],
    used.some(({ keyword }) => keyword.trim() === '') && ['keywords', "can't be blank; tick Remove instead"],
    used.some(({ keyword }) => [...keyword].length > MAX_KEYWORD) && [
      'keywords',
      `have at most ${MAX_KEYWORD} characters each`,
    ],
  ];
  const problems: Problems = {};
  for (const problem of found) {
    if (!problem) continue;
    const [field, description] = problem;
    (problems[field] ??= []).push({ error: 'ERR_INVALID', description });
  }
  return problems;
}

const isUsed = ({ id, keyword }: KeywordRow): boolean => id !== '' || keyword.trim() !== '';

function rowIn(value: Json): KeywordRow {
  const row = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return {
    id: textIn(row['id']),
    keyword: textIn(row['keyword']),
    wholeWord: row['whole_word'] === 'true',
    removed: row['removed'] === 'true',
  };
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
