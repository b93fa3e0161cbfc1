import { retryAfterIn } from '#kernel/retry-after.ts';
import type { HttpClient, HttpResponse } from '#kernel/services/http-client.ts';
import type { PushMessage, PushSender } from '#kernel/services/push.ts';
import { PushPauses } from './pauses.ts';
import type { SecretBox } from './secrets.ts';

/** Seconds that a push service keeps an undelivered message, as in Mastodon. */
const TTL = 48 * 3_600;
/** Milliseconds for the whole exchange. */
const DEADLINE = 10_000;
/** The longest pause that a push service may request, in milliseconds. */
const MAX_WAIT = 3_600_000;

interface SenderOptions {
  http: HttpClient;
  box: SecretBox;
  vapid: { publicKey: string; privateKey: string };
  /** The contact for push services (RFC 8292): a `mailto:` or `https:` URL. */
  subject: string;
  /** Returns milliseconds since 1970; the default is the clock. */
  now?: () => number;
}

/**
 * Sends messages by Web Push (RFC 8030), encrypted for the subscriber (RFC 8291) and signed by this server
 * (RFC 8292), or by the drafts of both that older apps use. A service that is down is not tried again before
 * a pause. The library is loaded with the first message.
 */
export function createPushSender({ http, box, vapid, subject, now = Date.now }: SenderOptions): PushSender {
  const pauses = new PushPauses();
  const keysOf = (endpoint: string): string[] => [hostOf(endpoint), endpoint];
  return {
    pause: (endpoint) => pauses.left(keysOf(endpoint), now()),
    async send({ endpoint, p256dh, secrets, standard }, message, signal) {
      if (pauses.enter(keysOf(endpoint), now()) > 0) return 'away';
      const times = pauses.times(hostOf(endpoint));
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
        const reply = await http.fetch(endpoint, {
          method: 'POST' as const,
          headers: textsIn(headers),
          body,
          signal,
          deadline: DEADLINE,
          withoutBody: true,
        });
        const outcome = outcomeOf(reply.status);
        note(pauses, { endpoint, times, now: now() }, reply);
        return outcome === 'failed' && pauses.left(keysOf(endpoint), now()) > 0 ? 'away' : outcome;
      } catch (error) {
        const { code = '' } = error as { code?: string };
        if (FOR_EVER.has(code)) return 'refused';
        // A request that we aborted says nothing about the service.
        if (!signal.aborted) pauses.failed(hostOf(endpoint), times, now());
        return pauses.left(keysOf(endpoint), now()) > 0 ? 'away' : 'failed';
      }
    },
  };
}

/** Failures of `src/adapters/outbound-http` that another attempt would meet again. */
const FOR_EVER = new Set(['bad_url', 'forbidden_address']);

/** Records what a reply tells about its service: a 429 concerns one endpoint, a server error concerns all. */
function note(
  pauses: PushPauses,
  { endpoint, times, now }: { endpoint: string; times: number; now: number },
  { status, headers }: HttpResponse,
): void {
  const host = hostOf(endpoint);
  const wait = retryAfterIn(headers, { now, longest: MAX_WAIT });
  if (status < 500) pauses.answered(host);
  if (status < 400) pauses.answered(endpoint);
  if (status === 429 && wait !== undefined) pauses.asked(endpoint, wait, now);
  if (status >= 500 && wait !== undefined) pauses.asked(host, wait, now);
  else if (status >= 500) pauses.failed(host, times, now);
}

const hostOf = (endpoint: string): string => URL.parse(endpoint)?.host ?? endpoint;

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
