import { expect } from 'chai';
import { account } from '#commands/accounts/index.ts';
import { type AccountEvent, accountStream } from '#events/accounts.ts';
import { describeTown, type Person } from '../support/people.ts';

interface Shown {
  roles: object[];
  account: Shown;
}

describeTown('Roles of staff', (town) => {
  let owner: Person;
  let moderator: Person;
  let alice: Person;
  before(async function () {
    this.timeout(60_000);
    owner = await town.staff('owner', 'Owner');
    moderator = await town.staff('moderator', 'Moderator');
    alice = await town.person('alice');
  });

  const shownBy = async (path: string): Promise<object[]> => {
    const { json } = await town.nobody.get<Shown>(path);
    return (json.account ?? json).roles;
  };

  it('appear in the accounts and posts of staff, and in no others', async () => {
    const badges = [
      [owner, [{ id: '3', name: 'Owner', color: '' }]],
      [moderator, [{ id: '1', name: 'Moderator', color: '' }]],
      [alice, []],
    ] as const;
    for (const [person, badge] of badges) {
      const { json: post } = await person.post<{ id: string }>('/api/v1/statuses', { status: 'hello' });
      for (const path of [`/api/v1/accounts/${person.id}`, `/api/v1/statuses/${post.id}`]) {
        expect(await shownBy(path), path).to.deep.equal(badge);
      }
    }
  });

  it('survive a profile change, follow a new role, and disappear with a suspension', async () => {
    const path = `/api/v1/accounts/${moderator.id}`;
    await moderator.patch('/api/v1/accounts/update_credentials', { display_name: 'Mo' });
    expect(await shownBy(path)).to.deep.equal([{ id: '1', name: 'Moderator', color: '' }]);
    const promoted: AccountEvent = {
      type: 'UserRoleChanged',
      data: { account_id: moderator.id, role: 'Admin' },
    };
    await town.app.systemContext('spec').execute(accountStream(moderator.id), account, () => [promoted]);
    await town.waitUntilIdle();
    expect(await shownBy(path)).to.deep.equal([{ id: '2', name: 'Admin', color: '' }]);
    await town.suspend(moderator);
    expect(await shownBy(path)).to.deep.equal([]);
  });
});
