import { type Step, step } from '../step.ts';

const CAROL = { id: '{carol}' };
const REPORT = { id: '{report}' };
const RELAY = { id: '{relay}' };
const ACTION = 'POST /api/v1/admin/accounts/{id}/action';

const LISTS = [
  'accounts',
  'reports',
  'domain_blocks',
  'domain_allows',
  'email_domain_blocks',
  'ip_blocks',
  'relays',
] as const;

/** The work of the staff. They restrict the account of carol, and lift all restrictions at the end. */
export const admin: readonly Step[] = [
  ...LISTS.flatMap((list) => [
    step('owner', `GET /api/v1/admin/${list}`),
    step('owner', `GET /api/v1/admin/${list}`, {}, { query: 'limit=1' }),
  ]),
  ...['status=active', 'origin=local', 'username=bob', 'permissions=staff', 'status=x'].map((query) =>
    step('owner', 'GET /api/v2/admin/accounts', {}, { query }),
  ),
  step('owner', 'GET /api/v1/admin/accounts/{id}', CAROL),
  step('owner', 'GET /api/v1/admin/reports/{id}', REPORT),
  ...['assign_to_self', 'unassign', 'resolve', 'reopen'].map((act) =>
    step('owner', `POST /api/v1/admin/reports/{id}/${act}`, REPORT),
  ),
  step('owner', 'PUT /api/v1/admin/reports/{id}', REPORT, { body: { category: 'violation', rule_ids: [] } }),
  ...['none', 'sensitive', 'silence', 'disable', 'suspend', 'nonsense'].map((type) =>
    step('owner', ACTION, CAROL, { name: type, body: { type, text: 'Please be quiet' } }),
  ),
  step(undefined, 'GET /api/v1/accounts/{id}', CAROL, { name: 'suspended' }),
  step('carol', 'GET /api/v1/timelines/home', {}, { name: 'suspended' }),
  step(undefined, 'GET /api/v1/accounts/lookup', {}, { name: 'suspended', query: 'acct=carol' }),
  ...['unsuspend', 'enable', 'unsilence', 'unsensitive', 'approve'].map((act) =>
    step('owner', `POST /api/v1/admin/accounts/{id}/${act}`, CAROL),
  ),
  step(
    'owner',
    'POST /api/v1/admin/domain_blocks',
    {},
    { name: 'twice', body: { domain: 'blocked.example' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/domain_blocks',
    {},
    { name: 'below', body: { domain: 'a.blocked.example' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/ip_blocks',
    {},
    { name: 'odd', body: { ip: 'x', severity: 'no_access' } },
  ),
  step(
    'owner',
    'POST /api/v1/admin/canonical_email_blocks/test',
    {},
    { body: { email: 'troll@example.org' } },
  ),
  step('owner', 'GET /api/v1/admin/relays/{id}', RELAY),
  ...['enable', 'disable', 'enable'].map((act, index) =>
    step('owner', `POST /api/v1/admin/relays/{id}/${act}`, RELAY, { name: `${index + 1}` }),
  ),
  ...['https://relay.example/inbox', 'x', ''].map((inbox_url) =>
    step('owner', 'POST /api/v1/admin/relays', {}, { name: `"${inbox_url}"`, body: { inbox_url } }),
  ),
  ...['tags', 'statuses', 'links'].map((kind) => step('owner', `GET /api/v1/admin/trends/${kind}`)),
  ...['measures', 'dimensions', 'retention'].map((kind) =>
    step(
      'owner',
      `POST /api/v1/admin/${kind}`,
      {},
      {
        body: {
          keys: kind === 'measures' ? ['new_users', 'active_users'] : ['languages', 'sources'],
          start_at: '2026-01-01',
          end_at: '2026-01-02',
          frequency: 'day',
        },
      },
    ),
  ),
];
