import { expect } from 'chai';
import { describeScopes, holds, scopeNames, scopes, splitScopes } from '#mastodon/scopes.ts';

/** https://docs.joinmastodon.org/api/oauth-scopes/#granular-scopes */
const DOCUMENTED: Record<string, string[]> = {
  // A footnote says so of Mastodon 3.2 to 4.2.
  crypto: [],
  profile: [],
  push: [],
  read: [
    ...[
      'accounts',
      'blocks',
      'bookmarks',
      'collections',
      'favourites',
      'filters',
      'follows',
      'lists',
      'mutes',
    ],
    ...['notifications', 'search', 'statuses'],
  ].map((part) => `read:${part}`),
  write: [
    ...[
      'accounts',
      'blocks',
      'bookmarks',
      'collections',
      'conversations',
      'favourites',
      'filters',
      'follows',
    ],
    ...['lists', 'media', 'mutes', 'notifications', 'reports', 'statuses'],
  ].map((part) => `write:${part}`),
  follow: [],
  ...Object.fromEntries(
    ['admin:read', 'admin:write'].map((top) => [
      top,
      [
        ...['accounts', 'canonical_email_blocks', 'domain_allows', 'domain_blocks', 'email_domain_blocks'],
        ...['ip_blocks', 'reports'],
      ].map((part) => `${top}:${part}`),
    ]),
  ),
};

describe('OAuth scopes', () => {
  it('are the documented ones, and no others', () => {
    const documented = new Set([...Object.keys(DOCUMENTED), ...Object.values(DOCUMENTED).flat()]);
    expect(scopeNames).to.have.members([...documented]);
  });

  for (const [broad, narrow] of Object.entries(DOCUMENTED)) {
    it(`include, for ${broad}, itself${narrow.length ? `, ${narrow.join(', ')}` : ''} and nothing else`, () => {
      const held = scopeNames.filter((name) => holds([broad], name));
      expect(held).to.have.members([broad, ...narrow]);
    });
  }

  it('include only itself for a granular scope', () => {
    for (const name of Object.values(DOCUMENTED).flat()) {
      expect(scopeNames.filter((other) => holds([name], other))).to.deep.equal([name]);
    }
  });

  it('include for several scopes what each of them includes', () => {
    const granted = ['read:statuses', 'write'];
    expect(holds(granted, 'write:mutes')).to.equal(true);
    expect(holds(granted, 'read:statuses')).to.equal(true);
    expect(holds(granted, 'read:lists')).to.equal(false);
  });

  it('have a description for users', () => {
    for (const scope of scopes.values()) expect(scope.description, scope.name).to.match(/^[A-Z].{5,}/);
  });

  it('are shown in groups, without those that a broader one includes, the dangerous ones marked', () => {
    const sections = describeScopes(['read', 'read:lists', 'push', 'admin:write:reports']);
    expect(sections.map(({ title, dangerous }) => [title, dangerous])).to.deep.equal([
      ['Read', false],
      ['Notify you', false],
      ['Moderate this server', true],
    ]);
    expect(sections[0]?.descriptions).to.deep.equal(['See everything in your account, private posts too']);
  });

  it('are parsed from a text, each once', () => {
    expect(splitScopes(' read  write\nread\tpush ')).to.deep.equal(['read', 'write', 'push']);
  });
});
