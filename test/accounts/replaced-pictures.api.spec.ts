import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { still } from '../support/pictures.ts';
import { startTestServer, type TestServer, type TestUser } from '../support/server.ts';

interface Shown {
  avatar: string;
  header: string;
}

describe('Replaced avatars and headers', () => {
  let server: TestServer;
  let alice: TestUser;

  before(async function () {
    this.timeout(60_000);
    server = await startTestServer();
    alice = await server.user('alice');
  });
  after(() => server.close());

  const profile = '/api/v1/accounts/update_credentials';

  async function show(pictures: Partial<Record<keyof Shown, string>>): Promise<Shown> {
    const form = new FormData();
    for (const [name, color] of Object.entries(pictures)) {
      const png = await still(color);
      form.set(name, new Blob([new Uint8Array(png)], { type: 'image/png' }), 'picture.png');
    }
    const { status, body } = await server.call('PATCH', profile, { token: alice.token, body: form });
    expect(status).to.equal(200);
    return body as Shown;
  }
  const waiting = async (): Promise<number> => {
    const [row] = await server.app.db.query<{ waiting: string }>(
      `select count(*) as waiting from jobs.job where name = 'replaced-pictures' and state = 'created'`,
    );
    return Number(row?.waiting);
  };
  /** Runs the clean-up that is due an hour later. */
  async function clean(): Promise<void> {
    await server.waitUntilIdle();
    expect(await waiting()).to.equal(1);
    await server.app.db.query(`update jobs.job set start_after = now() where name = 'replaced-pictures'`);
    await eventually(async () => expect(await waiting()).to.equal(0));
  }
  const statusOf = async (url: string): Promise<number> => {
    const answer = await fetch(new URL(new URL(url).pathname, server.url));
    await answer.arrayBuffer();
    return answer.status;
  };

  it('are deleted after an hour, unlike the current ones', async () => {
    const first = await show({ avatar: 'red', header: 'red' });
    const second = await show({ avatar: 'green' });
    expect(second.header).to.equal(first.header);
    await server.waitUntilIdle();
    expect(await statusOf(first.avatar)).to.equal(200);
    await clean();
    await eventually(async () => expect(await statusOf(first.avatar)).to.equal(404));
    expect(await statusOf(second.avatar)).to.equal(200);
    expect(await statusOf(second.header)).to.equal(200);
  });

  it('are kept when the account uses them again within the hour', async () => {
    const { avatar } = await show({ avatar: 'blue' });
    const other = await show({ avatar: 'black' });
    expect(await show({ avatar: 'blue' })).to.include({ avatar });
    await clean();
    await eventually(async () => expect(await statusOf(other.avatar)).to.equal(404));
    expect(await statusOf(avatar)).to.equal(200);
  });

  it('are deleted when the user removes them', async () => {
    const { avatar, header } = await show({ avatar: 'white' });
    for (const kind of ['avatar', 'header'])
      expect(
        (await server.call('DELETE', `/api/v1/profile/${kind}`, { token: alice.token })).status,
      ).to.equal(200);
    await clean();
    await eventually(async () =>
      expect([await statusOf(avatar), await statusOf(header)]).to.deep.equal([404, 404]),
    );
  });
});
