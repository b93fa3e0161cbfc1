import type { HttpClient } from '../kernel/services/http-client.ts';
import type { PushMessage, PushSender } from '../kernel/services/push.ts';
import type { SecretBox } from './secrets.ts';

/** In seconds: how long a push service keeps what it cannot deliver; as Mastodon. */
const TTL = 48 * 3_600;
/** Milliseconds for the whole exchange. */
const DEADLINE = 10_000;
/** What a push service says besides its status is of no interest. */
const MAX_REPLY = 1_024;

interface SenderOptions {
  http: HttpClient;
  box: SecretBox;
  vapid: { publicKey: string; privateKey: string };
  /** Whom a push service may turn to (RFC 8292): a `mailto:` or `https:` URL. */
  subject: string;
}

/**
 * Sends messages by Web Push (RFC 8030), encrypted for the subscriber (RFC 8291) and signed by this server (RFC 8292), or by
 * the drafts of both that apps used before. The library is loaded with the first message.
 */
export function createPushSender({ http, box, vapid, subject }: SenderOptions): PushSender {
  return {
    async send({ endpoint, p256dh, secrets, standard }, message, signal) {
      const { default: webPush } = await import('web-push');
      const { auth, bearer } = box.open(secrets);
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        textOf(message, bearer),
        {
          vapidDetails: { subject, ...vapid },
          TTL,
          urgency: 'normal' as const,
          contentEncoding: standard ? 'aes128gcm' : 'aesgcm',
        },
      );
      try {
        const { status } = await http.fetch(endpoint, {
          method: 'POST' as const,
          headers: textsIn(headers),
          body,
          signal,
          deadline: DEADLINE,
          maxBytes: MAX_REPLY,
          truncate: true,
        });
        return outcomeOf(status);
      } catch (error) {
        return FOR_EVER.has((error as { code?: string }).code ?? '') ? 'refused' : 'failed';
      }
    },
  };
}

/** Failures of `src/net` that another try would meet again. */
const FOR_EVER = new Set(['bad_url', 'forbidden_address']);

/** https://www.rfc-editor.org/rfc/rfc8030#section-5 and 7.3 */
function outcomeOf(status: number): 'sent' | 'gone' | 'refused' | 'failed' {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 404 || status === 410) return 'gone';
  return status >= 500 || status === 408 || status === 425 || status === 429 ? 'failed' : 'refused';
}

/**
 * The JSON text that Mastodon's apps expect. The id is a number: apps for iOS take nothing else. They also need a token as
 * text, and choose by it whose notification it is: what they gave themselves comes back, encrypted for them alone. Apps that
 * ask for standard push find the account by the subscription; the token stays here, and the text is empty.
 */
function textOf({ notification_id, ...message }: PushMessage, bearer: string | null): string {
  const rest = JSON.stringify({ access_token: bearer ?? '', ...message });
  return `{"notification_id":${notification_id},${rest.slice(1)}`;
}

const textsIn = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
