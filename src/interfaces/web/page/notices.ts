import { BEGIN_AGAIN } from '#interfaces/oauth/sign-in.ts';
import { type Html, html } from '../design/html.ts';
import type { WebRequest } from './page.ts';

/**
 * The notices about finished actions, by their name in the address of the next page, which can show no other
 * text.
 */
const NOTICES = {
  signed_out: 'You are signed out in this browser.',
  password: 'Your password is changed. All apps and other browsers are signed out.',
  password_reset: 'Your password is changed. Sign in with the new one, here and in your apps.',
  reset_mail:
    'If somebody here has this e-mail address, a mail with a link is on its way there. The link works once, for six hours.',
  confirmation_mail: 'The mail is on its way.',
  two_factor_off: 'Two-factor sign-in is off. The password alone suffices to sign in.',
  begin_again: BEGIN_AGAIN,
  email:
    'A mail is on its way to the new address, unless somebody here has it already. It counts once the link in that mail is opened.',
  past_begun: 'The build has begun. This page says how far it is.',
  past_removed: 'Removed from disk.',
  alert_acknowledged: 'The alert is acknowledged.',
  alert_was_acknowledged: 'Another member of the team was faster. This page says who.',
  posted: 'Your post is published.',
  post_scheduled: 'Your post is scheduled.',
  post_edited: 'Your post is edited.',
  post_deleted: 'Your post is deleted.',
  post_moved: 'The time of your post is changed.',
  post_cancelled: 'Your scheduled post is cancelled.',
  archive: 'Your archive is being made. A mail tells you when it is ready.',
  notifications_cleared: 'Your notifications are cleared.',
  requests_accepted: 'Accepted. Their notifications are among the others now.',
  requests_dismissed: 'Dismissed.',
  policy_saved: 'Your changes are saved.',
  conversation_removed: 'The conversation is removed from your list.',
  list_saved: 'The list is saved.',
  list_deleted: 'The list is deleted.',
  tag_followed: 'You follow this hashtag now.',
  tag_featured: 'The hashtag is featured on your profile.',
  filter_saved: 'The filter is saved.',
  filter_deleted: 'The filter is deleted.',
  post_filtered: 'The post is added to the filter.',
  import: 'The import has begun. This page says how far it is.',
  appealed: 'Your appeal is with the moderators. This page says when they have decided.',
  withdrawn: 'Your appeal is withdrawn.',
  browsers: 'All other browsers are signed out.',
  unfollowed: 'You no longer follow this account.',
  follow_settings: 'Saved.',
  follower_removed: 'This account no longer follows you.',
  request_accepted: 'This account follows you now.',
  request_rejected: 'You rejected the request.',
  blocked: 'This account is blocked.',
  unblocked: 'This account is no longer blocked.',
  muted: 'This account is muted.',
  unmuted: 'This account is no longer muted.',
  domain_blocked: 'This domain is blocked.',
  domain_unblocked: 'This domain is no longer blocked.',
  endorsed: 'This account is featured on your profile.',
  unendorsed: 'This account is no longer featured on your profile.',
  noted: 'Your note is saved.',
  lists_changed: 'Your lists are saved.',
  alias_added:
    'The alias is there. Now move the other account to this one, in the settings of its own server.',
  alias_removed: 'The alias is gone.',
  moved:
    'Your account has moved. Your followers are being led to the new one; with many of them this takes a while.',
  redirected: 'Your account leads to the new one.',
  move_cancelled: 'Your account is in use again.',
  followed_some: 'Done. Accounts that approve followers have to agree first.',
  setting: 'The settings of the server are saved.',
  rule_added: 'The rule is added.',
  rule_changed: 'The rule is changed.',
  rule_removed: 'The rule is removed.',
  test_mail: 'The mail is on its way to your address.',
  conversation_muted: 'The conversation is muted. You get no more notifications of it.',
  conversation_unmuted: 'The conversation is no longer muted.',
  pinned: 'The post is pinned on your profile.',
  unpinned: 'The post is no longer pinned on your profile.',
  quote_policy: 'Saved who can quote this post.',
  quote_removed: 'Your post is no longer part of this quote.',
  profile: 'Your profile is saved.',
  preferences: 'Your preferences are saved.',
  tag_unfeatured: 'The hashtag is no longer on your profile.',
  run_started: 'Started. This page shows the progress.',
  run_cancelled: 'It stops at its next step.',
  projection_retried: 'Retrying. This page shows the result.',
  event_skipped: 'The event is skipped. The projection continues without it.',
  event_unskipped: 'The next rebuild processes the event again.',
  dead_letters_retried: 'Retrying. Events that succeed disappear from the list.',
  deliveries_retried: 'The deliveries to this server are sent now.',
  deliveries_given_up: 'The deliveries to this server are removed.',
  report_decided: 'The report is resolved. This is the next one, if there is one.',
  report_reopened: 'The report is unresolved again.',
  report_assigned: 'The report is assigned to you.',
  report_unassigned: 'The report is assigned to nobody.',
  report_noted: 'Your note is added.',
  report_changed: 'The report is changed.',
  account_decided: 'Done. The audit log names you.',
  sign_ups_decided: 'Done. The audit log names you for each sign-up.',
  appeal_decided: 'The appeal is decided. Its author is told.',
  staff_saved: 'Your changes are saved.',
  staff_removed: 'It is removed.',
  domain_blocked_here: 'The block is in force.',
  domain_freed: 'The block is removed.',
  domain_allowed: 'The domain is allowed.',
  relay_added: 'The relay is added. It has to accept before posts are exchanged.',
  announcement_saved: 'The announcement is saved.',
  announcement_published: 'The announcement is published.',
  announcement_taken_back: 'The announcement is unpublished.',
  emoji_saved: 'The emoji is saved.',
  terms_published: 'The terms of service are published.',
  role_changed: 'The role is changed. The user has to sign in again.',
  trend_approved: 'Approved.',
  trend_rejected: 'Rejected.',
  revoked: 'The app may not use your account any more.',
} as const;

export type Notice = keyof typeof NOTICES;

/** Returns the path of a page with a notice. */
export function saying(path: string, notice: Notice): string {
  return `${path}${path.includes('?') ? '&' : '?'}done=${notice}`;
}

/** Renders the notice about the previous action. */
export function noticeBox({ query }: WebRequest): Html | false {
  const name = query.get('done') ?? '';
  const text = Object.hasOwn(NOTICES, name) && NOTICES[name as keyof typeof NOTICES];
  return text !== false && html`<p class="done" role="status">${text}</p>`;
}
