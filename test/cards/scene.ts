import { status } from '#commands/statuses/status.ts';
import { StatusCreated, type StatusEvent, statusStream } from '#events/statuses.ts';
import type { TestServer } from '../support/server.ts';

/**
 * Makes a remote post with a link, because a local text with an IP address as host makes none. @param host the server of the
 * post @returns its id
 */
export async function postLink(
  { app }: TestServer,
  { accountId, url, host = 'other.example' }: { accountId: string; url: string; host?: string },
): Promise<string> {
  const ctx = app.systemContext('tests');
  const id = ctx.newId();
  const sample = StatusCreated.schema.parse(StatusCreated.samples[StatusCreated.version]);
  const content = `<p>${id} <a href="${url}" rel="nofollow">link</a></p>`;
  const uri = `https://${host}/${id}`;
  const more = { uri, url: uri, local: false, conversation_id: id, mentions: [], tags: [], poll: null };
  const event: StatusEvent = {
    type: 'StatusCreated',
    data: { ...sample, ...more, id, account_id: accountId, content },
  };
  await ctx.execute(statusStream(id), status, () => [event]);
  return id;
}
