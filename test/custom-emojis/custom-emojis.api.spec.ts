import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { deleteEmoji, importEmoji, updateEmoji } from '#commands/custom-emojis/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import type { CustomEmoji } from '#mastodon/schemas/index.ts';
import { eventually } from '../support/eventually.ts';
import { moving, still } from '../support/pictures.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

interface Answer {
  emojis: CustomEmoji[];
}

describe('Custom emojis', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const operator = () => server.app.systemContext('specs');
  const add = async (shortcode: string, more: { category?: string; visible_in_picker?: boolean } = {}) => {
    const data = await moving('gif');
    await importEmoji(
      operator(),
      { shortcode, data, category: null, visible_in_picker: true, ...more },
      { overwrite: false },
    );
    await server.waitUntilIdle();
  };
  const listed = async (): Promise<CustomEmoji[]> =>
    (await server.call('GET', '/api/v1/custom_emojis')).body as CustomEmoji[];
  const codes = (emojis: CustomEmoji[]): string[] => emojis.map(({ shortcode }) => shortcode);
  /** The cache sees a change shortly after it is stored. */
  const known = (...shortcodes: string[]) =>
    eventually(() =>
      expect(shortcodes.every((code) => server.app.instance.emojis.json(code))).to.equal(true),
    );
  const gone = (shortcode: string) =>
    eventually(() => expect(server.app.instance.emojis.json(shortcode)).to.equal(undefined));
  const profile = async (): Promise<Answer> => {
    await server.waitUntilIdle();
    return (await server.call('GET', `/api/v1/accounts/${alice.id}`)).body as Answer;
  };
  const rename = async (display_name: string) => {
    const { status } = await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body: { display_name },
    });
    expect(status).to.equal(200);
  };

  it('are an empty list at first', async () => {
    expect(await listed()).to.deep.equal([]);
  });

  it('are listed by shortcode with their pictures and categories, without a token and without caching', async () => {
    await add('zebra');
    await add('blobcat', { category: 'Blobs' });
    await known('zebra', 'blobcat');
    const { body, headers } = await server.call('GET', '/api/v1/custom_emojis');
    expect(headers.get('cache-control')).to.equal('private, no-store');
    const [blobcat, zebra] = body as CustomEmoji[];
    expect(blobcat).to.include({ shortcode: 'blobcat', category: 'Blobs', visible_in_picker: true });
    expect(blobcat).to.include({ featured: false });
    expect(zebra).to.include({ shortcode: 'zebra' }).and.not.to.have.any.keys('category', 'featured');
    expect(blobcat?.url).to.match(/^https?:\/\/[^/]+\/media\/.+\.gif$/);
    expect(blobcat?.static_url).to.match(/\.png$/);
    const picture = await fetch(new URL(new URL(blobcat?.url ?? '').pathname, server.url));
    expect(picture.status).to.equal(200);
    expect(picture.headers.get('content-type')).to.equal('image/gif');
    await picture.arrayBuffer();
  });

  it('work in texts when they are unlisted, but are hidden from pickers', async () => {
    await add('secret', { visible_in_picker: false });
    await known('secret');
    expect(codes(await listed())).to.deep.equal(['blobcat', 'zebra']);
    await rename(':secret: Al :zebra: :nothing:');
    const { emojis } = await profile();
    expect(emojis.map(({ shortcode, visible_in_picker }) => [shortcode, visible_in_picker])).to.deep.equal([
      ['secret', false],
      ['zebra', true],
    ]);
  });

  it('are listed in a profile when its display name, note or fields use them', async () => {
    const { body } = await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: alice.token,
      body: {
        display_name: ':zebra: Alice',
        note: 'I like :blobcat: and :nothing:',
        fields_attributes: [{ name: ':secret:', value: 'at 12:30:45' }],
      },
    });
    const account = body as Answer & { display_name: string; note: string };
    expect(account.display_name).to.equal(':zebra: Alice');
    expect(account.note).to.equal('<p>I like :blobcat: and :nothing:</p>');
    expect(codes(account.emojis)).to.deep.equal(['zebra', 'blobcat', 'secret']);
    const [, blobcat] = account.emojis;
    expect(blobcat).to.have.all.keys('shortcode', 'url', 'static_url', 'visible_in_picker');
    expect(codes((await profile()).emojis)).to.deep.equal(['zebra', 'blobcat', 'secret']);
  });

  it('are shown in older texts when they are added, and disappear from them when they are removed', async () => {
    await rename('Alice :later:');
    expect(codes((await profile()).emojis)).to.deep.equal(['blobcat', 'secret']);
    const { body } = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'Soon :later:' },
    });
    const { id, emojis } = body as Answer & { id: string };
    const post = async () => (await server.call('GET', `/api/v1/statuses/${id}`)).body as Answer;
    expect(emojis).to.deep.equal([]);
    await add('later');
    await known('later');
    expect(codes((await post()).emojis)).to.deep.equal(['later']);
    expect(codes((await profile()).emojis)).to.deep.equal(['later', 'blobcat', 'secret']);
    await deleteEmoji(operator(), 'later');
    await gone('later');
    expect((await post()).emojis).to.deep.equal([]);
    expect(codes((await profile()).emojis)).to.deep.equal(['blobcat', 'secret']);
    expect(codes(await listed())).to.deep.equal(['blobcat', 'zebra']);
  });

  it('are listed in a post when its content, warning or poll uses them', async () => {
    const posted = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: {
        status: 'Look :blobcat: at :nothing: 12:30:45',
        spoiler_text: ':secret:',
        poll: { options: ['yes :zebra:', 'no'], expires_in: 3_600 },
      },
    });
    const status = posted.body as Answer & { id: string; poll: Answer };
    expect(codes(status.emojis)).to.deep.equal(['blobcat', 'secret', 'zebra']);
    expect(codes(status.poll.emojis)).to.deep.equal(['zebra']);
    const reblog = await server.call('POST', `/api/v1/statuses/${status.id}/reblog`, { token: alice.token });
    expect(codes((reblog.body as { reblog: Answer }).reblog.emojis)).to.deep.equal(codes(status.emojis));
    await server.waitUntilIdle();
    const timeline = (await server.call('GET', '/api/v1/timelines/public')).body as (Answer & {
      content: string;
    })[];
    expect(timeline[0]?.content).to.equal('<p>Look :blobcat: at :nothing: 12:30:45</p>');
    expect(codes(timeline[0]?.emojis ?? [])).to.deep.equal(['blobcat', 'secret', 'zebra']);
    const plain = await server.call('POST', '/api/v1/statuses', {
      token: alice.token,
      body: { status: 'at 12:30' },
    });
    expect((plain.body as Answer).emojis).to.deep.equal([]);
  });

  it('are neither shown nor listed when they are disabled, until they are enabled again', async () => {
    await updateEmoji(operator(), { shortcode: 'blobcat', disabled: true });
    await gone('blobcat');
    expect(codes((await profile()).emojis)).to.deep.equal(['secret']);
    expect(codes(await listed())).to.deep.equal(['zebra']);
    await updateEmoji(operator(), { shortcode: 'blobcat', disabled: false, category: 'Cats' });
    await known('blobcat');
    expect((await listed())[0]).to.include({ shortcode: 'blobcat', category: 'Cats' });
  });

  it('are not shown in a suspended profile', async () => {
    const bob = await server.user('bob');
    await server.call('PATCH', '/api/v1/accounts/update_credentials', {
      token: bob.token,
      body: { display_name: ':zebra: Bob' },
    });
    const suspended: AccountEvent = { type: 'AccountSuspended', data: { account_id: bob.id } };
    await operator().execute(accountStream(bob.id), account, () => [suspended]);
    await server.waitUntilIdle();
    const { status, body } = await server.call('GET', `/api/v1/accounts/${bob.id}`);
    expect(status).to.equal(200);
    expect(body).to.deep.include({ display_name: '', suspended: true, emojis: [] });
    expect(body)
      .to.have.property('avatar')
      .that.matches(/^https?:/);
  });

  it('require a valid shortcode', async () => {
    const emoji = { data: await still('red'), category: null, visible_in_picker: true };
    for (const shortcode of ['a', 'two words', 'dash-ed', 'ümlaut', '', 'x'.repeat(101)]) {
      let message = '';
      await importEmoji(operator(), { ...emoji, shortcode }, { overwrite: false }).catch((error: Error) => {
        message = error.message;
      });
      expect(message, shortcode).to.equal('Shortcode must be two or more letters, digits and underscores');
    }
  });
});
