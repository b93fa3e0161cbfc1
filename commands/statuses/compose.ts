import type { Visibility } from '#events/accounts.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { QuotePolicy, StatusCreated } from '#events/statuses.ts';
import type { EventOf } from '#kernel/event.ts';
import type { PostingFacts } from '#queries/statuses/index.ts';
import type { Named } from '../mentions/index.ts';
import { decideContent, wordsOf } from './content.ts';
import { decidePoll } from './poll.ts';
import { checkMentions, checkQuote, type PostInput } from './post-input.ts';
import { newQuote } from './quotes.ts';
import { checkParent } from './requests.ts';

export interface PostStatus {
  id: string;
  pollId: string;
  now: string;
  account: { id: string; username: string };
  origin: string;
  application: { id: string; name: string; website: string | null } | null;
  media: MediaAttachmentData[];
  input: PostInput;
}

/** Returns a new post, wherever its mentions lead. Pure. */
export function composed(
  command: PostStatus,
  facts: PostingFacts & Partial<Pick<Named, 'awaited'>>,
): EventOf<typeof StatusCreated>['data'] {
  const { id, now, account, origin, input, media } = command;
  const { parent, quoted } = facts;
  checkParent(input, parent);
  const quotes = input.quoted_status_id != null;
  const words = wordsOf(input, { quotes, sensitive: facts.defaults.sensitive });
  const content = decideContent(words, input, {
    origin,
    mentioned: facts.mentioned,
    // An account that becomes known later may be none of the allowed ones.
    awaited: input.allowed_mentions === undefined ? (facts.awaited ?? []) : [],
    language: facts.defaults.language,
    media,
    poll: input.poll ? decidePoll(command.pollId, input.poll, now) : null,
    quotes,
    quotedUrl: quoted?.url,
  });
  const visibility = visibilityOf(input, facts);
  checkMentions(input, content.mentions, account.id);
  checkQuote(input, facts, account.id, visibility, content.mentions);
  const self = `${origin}/users/${account.username}`;
  return {
    ...content,
    id,
    account_id: account.id,
    local: true,
    uri: `${self}/statuses/${id}`,
    url: `${origin}/@${account.username}/${id}`,
    created_at: now,
    visibility,
    in_reply_to_id: parent?.id ?? null,
    in_reply_to_account_id: parent ? answered(parent, account.id) : null,
    conversation_id: parent?.conversation_id ?? id,
    quote: quoted ? newQuote(quoted, account.id) : null,
    quote_policy: quotePolicyOf(input, facts, visibility),
    application: command.application,
  };
}

/** A reply to one's own reply keeps the original recipient. */
const answered = (parent: NonNullable<PostingFacts['parent']>, authorId: string): string =>
  parent.account_id === authorId ? (parent.in_reply_to_account_id ?? authorId) : parent.account_id;

function visibilityOf(input: PostInput, facts: PostingFacts): Visibility {
  const wanted = input.visibility ?? facts.defaults.privacy;
  // A quote of a followers-only post is itself limited to followers.
  const narrowed = facts.quoted?.visibility === 'private' && (wanted === 'public' || wanted === 'unlisted');
  return narrowed ? 'private' : wanted;
}

const quotePolicyOf = (input: PostInput, facts: PostingFacts, visibility: Visibility): QuotePolicy =>
  visibility === 'public' || visibility === 'unlisted'
    ? (input.quote_approval_policy ?? facts.defaults.quote_policy)
    : 'nobody';
