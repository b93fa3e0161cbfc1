import type { Visibility } from '#events/accounts.ts';
import { invalid } from '#kernel/errors.ts';
import { extractMentions, extractUnreadHandles, handleKey } from '../text/extract.ts';
import type { Named } from './meet.ts';

/** A post as far as its text addresses accounts. */
export interface Addressed {
  text: string | null;
  visibility: Visibility;
  mentions: readonly unknown[];
}

/** The maximum of handles in one message. */
const MAX_NAMED = 3;

/** Pure. @throws RookeryError `invalid` for a direct post with text that looks like a handle and is none */
export function checkHandles({ text, visibility }: Pick<Addressed, 'text' | 'visibility'>): void {
  if (visibility !== 'direct') return;
  const unread = extractUnreadHandles(text ?? '');
  if (unread.length > 0) throw refusal(unread, 'which is not the handle of an account');
}

/**
 * Only mentioned accounts see a direct post, so each handle with a domain must be that of an account, and at
 * least one account must be mentioned. Pure.
 * @throws RookeryError `invalid`
 */
export function checkAddressees(post: Addressed, { unknown, awaited }: Omit<Named, 'mentioned'>): void {
  if (post.visibility !== 'direct') return;
  checkHandles(post);
  const handles = new Map(extractMentions(post.text ?? '').map((each) => [handleKey(each), each]));
  const written = (keys: readonly string[]): string[] =>
    keys.flatMap((key) => {
      const { username = '', domain } = handles.get(key) ?? {};
      return domain == null ? [] : [`@${username}@${domain}`];
    });
  const late = written(awaited);
  if (late.length > 0) throw refusal(late, 'whose server does not answer; try again later');
  const missing = written(unknown);
  if (missing.length > 0) throw refusal(missing, 'which was not found');
  if (post.mentions.length > 0) return;
  // An account that blocks the author counts as not found, like one that does not exist.
  const [first] = handles.values();
  if (first) {
    const { username, domain } = first;
    throw refusal([domain === null ? `@${username}` : `@${username}@${domain}`], 'which was not found');
  }
  throw invalid(
    'Validation failed: Text must mention at least one account, because only mentioned accounts see this post',
  );
}

const refusal = (handles: readonly string[], reason: string) =>
  invalid(`Validation failed: Text mentions ${handles.slice(0, MAX_NAMED).join(', ')}, ${reason}`);
