import { expect } from 'chai';
import type { Status } from '#mastodon/schemas/index.ts';
import { collectionsShownTo, listedFor, mentionableBy } from '#queries/visibility/accounts.ts';
import { mutesNotifications } from '#queries/visibility/pairs.ts';
import { mentionsNotMutedBy, notMutedBy, visibleTo } from '#queries/visibility/statuses.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { remoteAccount } from '../support/remote.ts';

const PERSON = ['me', 'stranger', 'blocked', 'blocker', 'muted', 'lapsed', 'suspended'] as const;
type Name = (typeof PERSON)[number];

/** Tests the SQL conditions themselves; every surface that uses them has specs of its own. */
describeTown('The SQL conditions of visibility', (town) => {
  const people = {} as Record<Name, Person>;
  const posts = {} as Record<Name, string>;
  before(async function () {
    this.timeout(120_000);
    for (const name of PERSON) people[name] = await town.person(name);
    for (const name of PERSON) posts[name] = await post(people[name], 'hello');
    await remoteAccount(town.app, 'far', 'far.example');
    const { me, blocked, blocker, muted, lapsed, suspended } = people;
    await ok(me, `/api/v1/accounts/${blocked.id}/block`);
    await ok(blocker, `/api/v1/accounts/${me.id}/block`);
    await ok(me, `/api/v1/accounts/${muted.id}/mute`, { notifications: false, duration: 3600 });
    await ok(me, `/api/v1/accounts/${lapsed.id}/mute`, { duration: 1 });
    await ok(me, '/api/v1/domain_blocks', { domain: 'far.example' });
    await town.suspend(suspended);
    await lapse();
  });

  const ok = async (who: Client, path: string, body?: object): Promise<unknown> => {
    const { status, json } = await who.post(path, body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const post = async (who: Client, status: string, visibility = 'public'): Promise<string> =>
    ((await ok(who, '/api/v1/statuses', { status, visibility })) as { id: string }).id;
  /** Waits until the mute of one second has expired by the clock of the database. */
  const lapse = async (): Promise<void> => {
    for (;;) {
      const [row] = await town.app.db.query<{ over: boolean }>(
        `select bool_or(expires_at <= now()) as over from mutes where target_account_id = ${people.lapsed.id}`,
      );
      if (row?.over === true) return;
    }
  };
  /** Returns the names of accounts that satisfy a condition on `accounts acc`. */
  const accountsWhere = async (condition: string, ...values: unknown[]): Promise<string[]> => {
    const rows = await town.app.db.query<{ username: string }>(
      `select acc.username from accounts acc where ${condition} order by acc.id`,
      values,
    );
    return rows.map(({ username }) => username);
  };
  /** Returns the names whose status (of `ids`) satisfies a condition on `statuses st` and `accounts acc`. */
  const authorsWhere = async (condition: string, viewer: string | null): Promise<string[]> => {
    const rows = await town.app.db.query<{ username: string }>(
      `select acc.username from statuses st join accounts acc on acc.id = st.account_id
       where st.id = any($2) and ${condition} order by st.id`,
      [viewer, Object.values(posts)],
    );
    return rows.map(({ username }) => username);
  };
  const aliases = { status: 'st', author: 'acc' };

  it('hide a status from accounts that its author blocks, but not from viewers who block or mute the author', async () => {
    expect(await authorsWhere(visibleTo('$1', aliases), people.me.id)).to.deep.equal([
      'me',
      'stranger',
      'blocked',
      'muted',
      'lapsed',
    ]);
    expect(await authorsWhere(visibleTo('$1', aliases), null)).to.have.members(
      PERSON.filter((name) => name !== 'suspended'),
    );
  });

  it('leave authors whom the viewer blocks or mutes, or who block the viewer, out of timelines', async () => {
    const wanted = `${visibleTo('$1', aliases)} and ${notMutedBy('$1', aliases)}`;
    expect(await authorsWhere(wanted, people.me.id)).to.deep.equal(['me', 'stranger', 'lapsed']);
    expect(await authorsWhere(wanted, people.blocked.id)).not.to.include('me');
    expect(await authorsWhere(wanted, people.muted.id)).to.include('me');
    expect(await authorsWhere(wanted, null)).to.have.length(6);
  });

  it('leave servers that the viewer blocks out of timelines', async () => {
    const wanted = notMutedBy('$1', { author: 'acc' });
    expect(await accountsWhere(wanted, people.me.id)).not.to.include('far');
    expect(await accountsWhere(wanted, people.stranger.id)).to.include('far');
  });

  it('work for a null viewer that comes from a column', async () => {
    const [row] = await town.app.db.query<{ count: string }>(
      `select count(*) from (values (null::bigint)) as q (viewer), statuses s join accounts a on a.id = s.account_id
       where s.id = any($1) and ${visibleTo('q.viewer')} and ${notMutedBy('q.viewer')}`,
      [Object.values(posts)],
    );
    expect(row?.count).to.equal('6');
  });

  it('hide followers-only posts from followers whom a block removed', async () => {
    const { stranger, muted } = people;
    const secret = await post(stranger, 'between us', 'private');
    const seen = async (): Promise<number> => (await muted.get(`/api/v1/statuses/${secret}`)).status;
    await ok(muted, `/api/v1/accounts/${stranger.id}/follow`);
    expect(await seen()).to.equal(200);
    await ok(stranger, `/api/v1/accounts/${muted.id}/block`);
    expect(await seen()).to.equal(404);
    await ok(stranger, `/api/v1/accounts/${muted.id}/unblock`);
    expect(await seen()).to.equal(404);
  });

  it('reply to blocked accounts as if the post never existed', async () => {
    const { me, blocker } = people;
    const direct = await post(blocker, '@me you', 'direct');
    for (const id of [posts.blocker, direct, '1']) {
      for (const path of [`/api/v1/statuses/${id}`, `/api/v1/statuses/${id}/context`]) {
        const { status, json } = await me.get(path);
        expect([path, status]).to.deep.equal([path, 404]);
        expect(json).to.deep.equal({ error: 'Not Found' });
      }
    }
    expect((await me.get(`/api/v1/accounts/${blocker.id}/statuses`)).json).to.deep.equal([]);
    expect((await town.nobody.get(`/api/v1/statuses/${posts.blocker}`)).status).to.equal(200);
  });

  it('recognise a status that mentions an account the viewer blocks or mutes', async () => {
    const { me, stranger } = people;
    const about = await Promise.all(
      ['nobody here', '@blocked', '@lapsed @muted', '@lapsed @blocker'].map((text) => post(stranger, text)),
    );
    await town.waitUntilIdle();
    const rows = await town.app.db.query<{ id: string }>(
      `select st.id from statuses st where st.id = any($2) and ${mentionsNotMutedBy('$1', { status: 'st' })}`,
      [me.id, about],
    );
    expect(rows.map(({ id }) => id)).to.have.members([about[0], about[3]]);
  });

  it('leave blocked, muted, blocking and suspended accounts out of lists of accounts', async () => {
    const listed = listedFor('$1', 'acc');
    expect(await accountsWhere(listed, people.me.id)).to.deep.equal(['me', 'stranger', 'lapsed', 'far']);
    expect(await accountsWhere(listed, null)).to.have.length(7);
    expect(await accountsWhere(listed, people.suspended.id)).to.include('suspended');
  });

  it('hide the follows of an account from those it blocks', async () => {
    const shown = collectionsShownTo('$1', 'acc');
    expect(await accountsWhere(shown, people.me.id)).to.include.members(['me', 'blocked', 'muted']);
    expect(await accountsWhere(shown, people.me.id)).not.to.include('blocker');
    expect(await accountsWhere(shown, people.me.id)).not.to.include('suspended');
    expect(await accountsWhere(shown, null)).to.include('blocker');
  });

  it("leave accounts that block an author out of the author's mentions", async () => {
    const mentionable = await accountsWhere(mentionableBy('$1::bigint', 'acc'), people.me.id);
    expect(mentionable).to.include.members(['blocked', 'muted', 'stranger']);
    expect(mentionable).not.to.include.members(['blocker', 'suspended']);
    expect(mentionable).not.to.include('blocker');
  });

  it('make no mention of accounts that block the author, neither in a post nor in an edit', async () => {
    const { me } = people;
    const named = ({ mentions }: Status): string[] => mentions.map(({ username }) => username);
    const posted = (await ok(me, '/api/v1/statuses', {
      status: '@blocker @stranger @suspended hi',
      visibility: 'direct',
    })) as Status;
    expect(named(posted)).to.deep.equal(['stranger']);
    expect(posted.content).to.include('@blocker');
    expect((await people.blocker.get(`/api/v1/statuses/${posted.id}`)).status).to.equal(404);
    const { json: edited } = await me.put<Status>(`/api/v1/statuses/${posted.id}`, {
      status: '@blocker @stranger @muted hi',
    });
    expect(named(edited)).to.have.members(['stranger', 'muted']);
    expect((await people.blocker.get(`/api/v1/statuses/${posted.id}`)).status).to.equal(404);
  });

  it('distinguish mutes that cover notifications from those that do not', async () => {
    const { me, stranger } = people;
    await ok(me, `/api/v1/accounts/${stranger.id}/mute`);
    const without = mutesNotifications('$1::bigint', 'acc.id');
    expect(await accountsWhere(without, me.id)).to.deep.equal(['stranger']);
    await ok(me, `/api/v1/accounts/${stranger.id}/unmute`);
    expect(await accountsWhere(without, me.id)).to.deep.equal([]);
  });
});
