import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { still } from '../support/pictures.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';

/** A request that was sent to Mastodon 4.6.5, with its reply. */
interface Sample {
  sent: Record<string, unknown>;
  status: number;
  error?: string;
}

/** Samples that Rookery answers differently on purpose: the request and the reason. */
const EXCEPTIONS = new Map<string, string>(
  (
    [
      [{ status: '@someone@192.0.2.1' }, 'Mastodon refuses the post for an address that it may not ask'],
      [{ status: '@alice@.' }, 'Mastodon mentions alice without a link'],
      [{ status: '%s %d {0} ${x} {{x}}' }, 'the recorder put something in the place of {{x}}'],
      [{ status: '#हिन्दी' }, 'Mastodon drops combining marks that are no letters'],
      [
        { status: 'poll', poll: { options: [true, false], expires_in: 600 } },
        'options that are no texts are refused rather than guessed',
      ],
      [
        { status: 'poll', poll: { options: { 0: 'a', 1: 'b' }, expires_in: 600 } },
        'numbered options are options, as forms send them',
      ],
    ] as const
  ).map(([sent, reason]) => [JSON.stringify(sent), reason]),
);

const PEOPLE = ['alice', 'bob', 'carol', 'mallory'];
const EMOJIS = ['blobcat', 'party_parrot', 'Cat2', 'a1'];
const samples = (await readFile(new URL('mastodon/texts.ndjson', import.meta.url), 'utf8'))
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

describe('The texts that were sent to Mastodon', function () {
  this.timeout(120_000);
  let server: TestServer;
  let author: TestUser;

  before(async () => {
    server = await startTestServer({ LOCAL_DOMAIN: 'social.example' });
    author = await server.user('text1');
    for (const username of PEOPLE) await server.user(username);
    const data = await still('red');
    for (const shortcode of EMOJIS) {
      const emoji = { shortcode, data, category: null, visible_in_picker: true };
      await importEmoji(server.app.systemContext('specs'), emoji, { overwrite: false });
    }
    await server.waitUntilIdle();
  });
  after(() => server.close());

  for (const [index, sample] of samples.entries()) {
    const { sent, ...expected } = sample;
    const title = JSON.stringify(sent).slice(0, 80);
    const reason = EXCEPTIONS.get(JSON.stringify(sent));
    it(`give the result of Mastodon for ${index + 1}, ${title}`, async () => {
      const answer = await server.call('POST', '/api/v1/statuses', { token: author.token, body: sent });
      if (reason === undefined) expect(inShort(answer)).to.deep.equal(expected);
      else expect(inShort(answer), 'an exception that is none').to.not.deep.equal(expected);
    });
  }
});

/** The members of a reply that the samples contain. */
function inShort({ status, body }: Answer): Record<string, unknown> {
  if (status !== 200) return { status, error: body.error };
  const { content, spoiler_text, sensitive, language, visibility, mentions, tags, emojis, poll } = body;
  return {
    status,
    content,
    spoiler_text,
    sensitive,
    language,
    visibility,
    mentions: mentions.map(({ acct }: { acct: string }) => acct),
    tags: tags.map(({ name }: { name: string }) => name),
    emojis: emojis.map(({ shortcode }: { shortcode: string }) => shortcode),
    ...(poll ? { poll: poll.options.map(({ title }: { title: string }) => title) } : {}),
  };
}
