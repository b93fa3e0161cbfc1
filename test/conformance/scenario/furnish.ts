import { type Step, step } from '../step.ts';

const POST = 'POST /api/v1/statuses';

/** Creates one object of every kind that has an id. Later steps refer to these objects. */
export const furnish: readonly Step[] = [
  ...(['alice', 'bob', 'carol', 'owner'] as const).map((name) =>
    step(name, 'GET /api/v1/accounts/verify_credentials', {}, { save: { [name]: 'id' } }),
  ),
  step('application', 'GET /api/v1/apps/verify_credentials'),
  step('alice', 'POST /api/v1/accounts/{id}/follow', { id: '{bob}' }),
  step('bob', 'POST /api/v1/accounts/{id}/follow', { id: '{alice}' }),
  step('alice', POST, {}, { body: { status: 'Hello #rooks' }, save: { post: 'id' } }),
  step('bob', POST, {}, { body: { status: '@alice hi', in_reply_to_id: '{post}' }, save: { reply: 'id' } }),
  step('alice', POST, {}, { body: { status: 'Goes on', in_reply_to_id: '{post}' }, save: { more: 'id' } }),
  step('bob', POST, {}, { body: { status: 'As said', quoted_status_id: '{post}' }, save: { quote: 'id' } }),
  step(
    'bob',
    POST,
    {},
    {
      body: { status: 'Which?', poll: { options: ['One', 'Two'], expires_in: 3_600 } },
      save: { polled: 'id', poll: 'poll.id' },
    },
  ),
  step(
    'bob',
    POST,
    {},
    {
      body: {
        status: 'Which ones?',
        poll: { options: ['One', 'Two', 'Three'], expires_in: 3_600, multiple: true },
      },
      save: { poll2: 'poll.id' },
    },
  ),
  step(
    'bob',
    POST,
    {},
    { body: { status: '@alice in private', visibility: 'direct' }, save: { direct: 'id' } },
  ),
  step(
    'bob',
    POST,
    {},
    { body: { status: 'For followers', visibility: 'private' }, save: { private: 'id' } },
  ),
  step(
    'alice',
    POST,
    {},
    { body: { status: 'Later', scheduled_at: '2099-01-01T00:00:00Z' }, save: { scheduled: 'id' } },
  ),
  step('alice', 'POST /api/v2/media', {}, { pictures: ['file'], save: { media: 'id' } }),
  step('alice', 'POST /api/v1/lists', {}, { body: { title: 'Friends' }, save: { list: 'id' } }),
  step(
    'alice',
    'POST /api/v2/filters',
    {},
    {
      body: { title: 'Spoilers', context: ['home'], keywords_attributes: [{ keyword: 'spoiler' }] },
      save: { filter: 'id', keyword: 'keywords.0.id' },
    },
  ),
  step(
    'alice',
    'POST /api/v2/filters/{filter_id}/statuses',
    { filter_id: '{filter}' },
    { body: { status_id: '{polled}' }, save: { filterStatus: 'id' } },
  ),
  step('alice', 'POST /api/v1/featured_tags', {}, { body: { name: 'rooks' }, save: { featuredTag: 'id' } }),
  step(
    'alice',
    'POST /api/v1/collections',
    {},
    {
      body: { name: 'Birds', description: 'Who writes of birds', sensitive: false, discoverable: true },
      save: { collection: 'collection.id' },
    },
  ),
  step('alice', 'GET /api/v1/conversations', {}, { save: { conversation: '0.id' } }),
  step('alice', 'GET /api/v1/notifications', {}, { save: { notification: '0.id' } }),
  step(
    'bob',
    'POST /api/v1/reports',
    {},
    { body: { account_id: '{carol}', comment: 'Noise', category: 'spam' }, save: { report: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/domain_blocks',
    {},
    { body: { domain: 'blocked.example', severity: 'silence' }, save: { domainBlock: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/domain_allows',
    {},
    { body: { domain: 'allowed.example' }, save: { domainAllow: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/relays',
    {},
    { body: { inbox_url: 'https://relay.example/inbox' }, save: { relay: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/email_domain_blocks',
    {},
    { body: { domain: 'mail.example' }, save: { emailDomainBlock: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/canonical_email_blocks',
    {},
    { body: { email: 'troll@example.org' }, save: { canonicalEmailBlock: 'id' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/ip_blocks',
    {},
    { body: { ip: '198.51.100.7', severity: 'sign_up_block' }, save: { ipBlock: 'id' } },
  ),
];
