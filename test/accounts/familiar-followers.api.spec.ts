import { expect } from 'chai';
import type { FamiliarFollowers, Relationship } from '#mastodon/schemas/index.ts';
import { type Client, describeTown, type Person } from '../support/people.ts';
import { expectScope } from '../support/scopes.ts';

describeTown('Familiar followers', (town) => {
  let me: Person;
  let star: Person;
  let moon: Person;
  let friend: Person;
  let pal: Person;
  let stranger: Person;
  before(async function () {
    this.timeout(120_000);
    me = await town.person('me');
    star = await town.person('star');
    moon = await town.person('moon');
    friend = await town.person('friend');
    pal = await town.person('pal');
    stranger = await town.person('stranger');
    for (const target of [friend, pal]) await act(me, 'follow', target);
    for (const fan of [friend, pal, stranger]) await act(fan, 'follow', star);
  });

  const act = async (who: Client, verb: string, target: Person): Promise<Relationship> => {
    const { status, json } = await who.post<Relationship>(`/api/v1/accounts/${target.id}/${verb}`);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const familiar = async (...ids: string[]): Promise<Record<string, string[]>> => {
    const query = ids.map((id) => `id[]=${id}`).join('&');
    const { status, json } = await me.get<FamiliarFollowers[]>(
      `/api/v1/accounts/familiar_followers?${query}`,
    );
    expect(status).to.equal(200);
    return Object.fromEntries(json.map(({ id, accounts }) => [id, accounts.map(({ acct }) => acct)]));
  };

  it('are listed for each requested account, in order of ids', async () => {
    const { json } = await me.get<FamiliarFollowers[]>(
      `/api/v1/accounts/familiar_followers?id[]=${moon.id}&id[]=1&id[]=x&id[]=${star.id}`,
    );
    expect(json.map(({ id }) => id)).to.deep.equal([star.id, moon.id].sort());
    expect(await familiar(moon.id, star.id)).to.deep.equal({ [moon.id]: [], [star.id]: ['pal', 'friend'] });
    expect(await familiar()).to.deep.equal({});
  });

  it('leave out followers and accounts that hide their collections', async () => {
    await town.change(pal, { hide_collections: true });
    expect(await familiar(star.id)).to.deep.equal({ [star.id]: ['friend'] });
    await town.change(star, { hide_collections: true });
    expect(await familiar(star.id)).to.deep.equal({ [star.id]: [] });
    for (const person of [pal, star]) await town.change(person, { hide_collections: false });
  });

  it('leave out muted followers, and are empty for accounts that block the user', async () => {
    await act(me, 'mute', pal);
    expect(await familiar(star.id)).to.deep.equal({ [star.id]: ['friend'] });
    await act(me, 'unmute', pal);
    await act(star, 'block', me);
    expect(await familiar(star.id)).to.deep.equal({ [star.id]: [] });
    await act(star, 'unblock', me);
  });

  it('require a user token with the scope', async () => {
    const path = `/api/v1/accounts/familiar_followers?id[]=${star.id}`;
    await expectScope(town, me, (who) => who.get(path), {
      enough: ['read:follows'],
      others: ['write', 'read:accounts'],
    });
  });
});
