import type { InstanceSettings } from '#events/instance.ts';
import type { Instance } from '#kernel/context.ts';
import { escapeHtml } from '#mastodon/html.ts';
import type { PrivacyPolicy } from '#mastodon/schemas/index.ts';

/** The time of the default text. */
const WRITTEN_AT = '2026-11-24T00:00:00.000Z';

/** Returns the privacy policy of this server; until staff set one, a default that describes the software. */
export const privacyPolicyOf = (
  { privacy_policy }: Pick<InstanceSettings, 'privacy_policy'>,
  { domain }: Pick<Instance, 'domain'>,
): PrivacyPolicy => privacy_policy ?? { content: defaultText(escapeHtml(domain)), updated_at: WRITTEN_AT };

const defaultText = (domain: string): string =>
  [
    `<p>The administrators of ${domain} have not written a privacy policy of their own yet. This text says what the server software stores and shows.</p>`,
    '<h2>What is stored</h2>',
    '<ul>',
    '<li>Your account: user name, e-mail address, a hash of your password, and your profile with its pictures.</li>',
    '<li>Your activity: posts with their attachments, follows, favourites, reblogs, lists, filters and settings.</li>',
    '<li>The IP addresses from which you use your account, for up to one year. Logs of the server may hold addresses of requests.</li>',
    '</ul>',
    '<h2>Who sees it</h2>',
    '<ul>',
    '<li>Your profile and your public and unlisted posts can be seen by everybody. They are sent to other servers, which keep copies.</li>',
    '<li>Posts for followers go to your followers and to the people whom you mention, private mentions to those people only. Other servers may have them as well.</li>',
    '<li>The administrators of a server that holds a post can read it. Private mentions are not encrypted.</li>',
    '<li>The administrators see your e-mail address and IP addresses. Apps that you allow to use your account see what you allowed.</li>',
    '</ul>',
    '<h2>How long it is kept</h2>',
    '<p>What you delete is removed here, and other servers are asked to remove their copies. You can download your data, and delete your account, in your account settings at any time.</p>',
    '<h2>Cookies</h2>',
    '<p>A cookie keeps you signed in on the pages of this server. No cookie follows you to other sites.</p>',
  ].join('\n');
