import { expect } from 'chai';
import { otherKind, refuseOtherKind } from '#commands/imports/kind.ts';
import { EXPORTS, IMPORT_TYPES } from '#mastodon/portability.ts';
import { refusal } from '../support/refusal.ts';

describe('The kind of an import file', () => {
  it('is known by the columns that only one kind has, whatever the name says', () => {
    const columns = ['account', 'reblogs'] as const;
    expect(otherKind('blocks', { columns })).to.equal('following');
    expect(otherKind('following', { columns, fileName: 'blocked_accounts.csv' })).to.equal(undefined);
    expect(otherKind('following', { columns: ['account', 'notifications'] })).to.equal('mutes');
    expect(otherKind('following', { columns: ['list', 'account'] })).to.equal('lists');
  });

  it('is known by the name of each export', () => {
    for (const type of IMPORT_TYPES) {
      const fileName = EXPORTS[type].replace('.csv', ' (1).CSV');
      for (const chosen of IMPORT_TYPES) {
        const expected = chosen === type ? undefined : type;
        expect(otherKind(chosen, { columns: [], fileName }), `${fileName} as ${chosen}`).to.equal(expected);
      }
    }
  });

  it('is the chosen one where nothing speaks against it', () => {
    for (const fileName of [undefined, '', 'accounts.csv', 'export-2026.csv'])
      expect(otherKind('blocks', { columns: ['account'], fileName })).to.equal(undefined);
  });

  it('is asked about by a refusal that says both', () => {
    const file = { columns: [], fileName: 'following_accounts.csv' };
    expect(refusal(() => refuseOtherKind('following', file))).to.equal(undefined);
    expect(refusal(() => refuseOtherKind('mutes', file))).to.deep.equal([
      'invalid',
      'The file seems to contain accounts to follow, and you chose accounts to mute',
    ]);
  });
});
