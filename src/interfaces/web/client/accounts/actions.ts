import { action } from '#interfaces/web/page/action.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';

/** Buttons that act on an account. */
export const accountActions: readonly WebPage[] = [
  action('POST v1/accounts/:id/follow'),
  action('POST v1/accounts/:id/unfollow'),
  action('POST v1/accounts/:id/block', { notice: 'blocked' }),
  action('POST v1/accounts/:id/unblock', { notice: 'unblocked' }),
  action('POST v1/accounts/:id/mute', { notice: 'muted' }),
  action('POST v1/accounts/:id/unmute', { notice: 'unmuted' }),
  action('POST v1/accounts/:id/endorse', { notice: 'endorsed' }),
  action('POST v1/accounts/:id/unendorse', { notice: 'unendorsed' }),
  action('POST v1/accounts/:id/remove_from_followers', { notice: 'follower_removed' }),
  action('POST v1/follow_requests/:account_id/authorize', { notice: 'request_accepted' }),
  action('POST v1/follow_requests/:account_id/reject', { notice: 'request_rejected' }),
  action('POST v1/domain_blocks', { notice: 'domain_blocked' }),
  action('DELETE v1/domain_blocks', { notice: 'domain_unblocked' }),
];
