import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { Draft, PollDraft } from './draft.ts';
import { typedMoment } from './schedule.ts';

/** Returns the body of a new post; absent members are the defaults of the user. */
export function bodyOf(draft: Draft) {
  return {
    ...contentOf(draft),
    in_reply_to_id: draft.inReplyTo,
    visibility: asSent(draft.visibility),
    quoted_status_id: draft.quoted,
    quote_approval_policy: asSent(draft.quotePolicy),
    ...(draft.scheduledAt === '' ? {} : { scheduled_at: typedMoment(draft) }),
  };
}

/** Returns what a post and an edit have in common. */
export const contentOf = ({ text, warning, language, sensitive, media, poll }: Draft) => ({
  status: text,
  spoiler_text: warning,
  media_ids: media,
  ...(language === '' ? {} : { language }),
  ...(sensitive === undefined ? {} : { sensitive }),
  ...(poll ? { poll: pollBody(poll) } : {}),
});

const pollBody = ({ options, expiresIn, multiple, hideTotals }: PollDraft) => ({
  options,
  ...(expiresIn === '' ? {} : { expires_in: expiresIn }),
  multiple,
  hide_totals: hideTotals,
});
