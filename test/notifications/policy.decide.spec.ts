import { expect } from 'chai';
import { decidePolicy, policy } from '#commands/notifications/policy.ts';
import { decideOnce } from '#commands/notifications/put-away.ts';
import { DEFAULT_NOTIFICATION_POLICY as DEFAULTS } from '#events/notifications.ts';
import { fold } from '#kernel/decider.ts';

const account_id = '109500000000000000';

describe('The decisions about notifications', () => {
  it('record only changed settings of a policy', () => {
    const wanted = {
      for_not_following: 'filter',
      for_private_mentions: 'filter',
      for_new_accounts: undefined,
    } as const;
    expect(decidePolicy(DEFAULTS, account_id, wanted)).to.deep.equal([
      { type: 'NotificationPolicyChanged', data: { account_id, for_not_following: 'filter' } },
    ]);
    expect(decidePolicy(DEFAULTS, account_id, {})).to.deep.equal([]);
    expect(decidePolicy(DEFAULTS, account_id, { ...DEFAULTS })).to.deep.equal([]);
  });

  it('know the policy from its changes', () => {
    const before = { ...DEFAULTS, for_new_accounts: 'filter' } as const;
    const events = [
      ...decidePolicy(before, account_id, { for_new_accounts: 'drop' }),
      ...decidePolicy(before, account_id, { for_not_followers: 'filter' }),
      ...decidePolicy(before, account_id, { for_new_accounts: 'accept' }),
    ];
    expect(events).to.have.length(3);
    expect(fold(policy, events)).to.deep.equal({ ...DEFAULTS, for_not_followers: 'filter' });
  });

  it('dismiss once', () => {
    const event = { type: 'NotificationDismissed', data: { account_id, id: '1' } } as const;
    expect(decideOnce(false, event)).to.deep.equal([event]);
    expect(decideOnce(true, event)).to.deep.equal([]);
  });
});
