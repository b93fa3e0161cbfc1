import { type Step, step } from '../step.ts';

const PATCH = 'PATCH /api/v1/accounts/update_credentials';

const PROFILES: Readonly<Record<string, unknown>> = {
  nothing: {},
  name: { display_name: 'Alice of the Rooks' },
  'long name': { display_name: 'x'.repeat(41) },
  'name of 40': { display_name: 'x'.repeat(40) },
  note: { note: 'I watch #rooks with @bob, see https://example.com' },
  'long note': { note: 'x'.repeat(501) },
  fields: { fields_attributes: [{ name: 'Site', value: 'https://example.com' }] },
  'long field': { fields_attributes: [{ name: 'x'.repeat(256), value: 'y' }] },
  'five fields': { fields_attributes: Array.from({ length: 5 }, (_, n) => ({ name: `n${n}`, value: 'v' })) },
  'fields that are a text': { fields_attributes: 'x' },
  bot: { bot: true },
  'no bot': { bot: 'false' },
  language: { source: { language: 'de' } },
  'odd language': { source: { language: 'xx' } },
  'odd privacy': { source: { privacy: 'x' } },
  domains: { attribution_domains: ['example.com'] },
};

/** An action on an account, and the action that reverses it. */
const ACTS = [
  ['follow', 'unfollow'],
  ['mute', 'unmute'],
  ['block', 'unblock'],
  ['endorse', 'unendorse'],
  ['pin', 'unpin'],
] as const;

const acts = ACTS.flatMap(([act, back]) =>
  ['{carol}', '{alice}'].flatMap((id) =>
    [act, `${act} again`, back, `${back} again`].map((name) => {
      const [verb = ''] = name.split(' ');
      return step('alice', `POST /api/v1/accounts/{id}/${verb}`, { id }, { name: `${name} of ${id}` });
    }),
  ),
);

const READS = [
  '',
  '/statuses',
  '/followers',
  '/following',
  '/featured_tags',
  '/lists',
  '/endorsements',
] as const;

const reads = READS.flatMap((path) =>
  (['alice', undefined] as const).flatMap((as) =>
    ['{alice}', '{bob}', '{carol}'].map((id) => step(as, `GET /api/v1/accounts/{id}${path}`, { id })),
  ),
);

const QUERIES: readonly (readonly [string, string])[] = [
  ['GET /api/v1/accounts/lookup', 'acct=bob'],
  ['GET /api/v1/accounts/lookup', 'acct=nobody'],
  ['GET /api/v1/accounts/lookup', 'acct=@BOB'],
  ['GET /api/v1/accounts/search', 'q=bo'],
  ['GET /api/v1/accounts/search', 'q=bob&following=true'],
  ['GET /api/v1/accounts/search', 'q='],
  ['GET /api/v1/accounts/relationships', 'id[]={bob}&id[]={carol}'],
  ['GET /api/v1/accounts/relationships', 'id={bob}'],
  ['GET /api/v1/accounts/relationships', 'id[]=1'],
  ['GET /api/v1/accounts/familiar_followers', 'id[]={bob}'],
  ['GET /api/v1/accounts', 'id[]={carol}&id[]={bob}'],
  ['GET /api/v1/accounts', 'id={bob}'],
  ['GET /api/v1/directory', 'local=true&order=new'],
];

const LIST = { id: '{list}' };
const MEMBERS = 'POST /api/v1/lists/{id}/accounts';
const KEYWORD = { id: '{keyword}' };

/** The profile, relationships, lists, filters and hashtags of a user. */
export const accounts: readonly Step[] = [
  ...Object.entries(PROFILES).map(([name, body]) => step('alice', PATCH, {}, { name, body })),
  step('alice', PATCH, {}, { name: 'an avatar', pictures: ['avatar'] }),
  step('alice', 'DELETE /api/v1/profile/avatar'),
  step('carol', PATCH, {}, { name: 'locked', body: { locked: true } }),
  step('carol', 'GET /api/v1/preferences'),
  step('carol', 'POST /api/v1/statuses', {}, { name: 'of a locked account', body: { status: 'To whom?' } }),
  ...acts,
  step('alice', 'POST /api/v1/accounts/{id}/follow', { id: '{carol}' }, { name: 'a request' }),
  step('carol', 'GET /api/v1/follow_requests'),
  step('carol', 'POST /api/v1/follow_requests/{account_id}/authorize', { account_id: '{alice}' }),
  step(
    'carol',
    'POST /api/v1/follow_requests/{account_id}/authorize',
    { account_id: '{alice}' },
    { name: 'again' },
  ),
  step('carol', 'POST /api/v1/follow_requests/{account_id}/reject', { account_id: '{bob}' }),
  step('carol', 'POST /api/v1/accounts/{id}/remove_from_followers', { id: '{alice}' }),
  step(
    'alice',
    'POST /api/v1/accounts/{id}/note',
    { id: '{bob}' },
    { body: { comment: 'Met at the tower' } },
  ),
  ...reads,
  ...QUERIES.map(([operation, query]) => step('alice', operation, {}, { query })),
  step('alice', MEMBERS, LIST, { name: 'followed', body: { account_ids: ['{bob}'] } }),
  step('alice', MEMBERS, LIST, { name: 'twice', body: { account_ids: ['{bob}'] } }),
  step('alice', MEMBERS, LIST, { name: 'not followed', body: { account_ids: ['{carol}'] } }),
  step('alice', MEMBERS, LIST, { name: 'oneself', body: { account_ids: ['{alice}'] } }),
  step('alice', 'GET /api/v1/lists/{id}/accounts', LIST),
  step('alice', 'POST /api/v1/lists', {}, { name: 'a second one', body: { title: 'Towers' } }),
  step('alice', 'POST /api/v1/lists', {}, { name: 'odd policy', body: { title: 'x', replies_policy: 'x' } }),
  step('alice', 'GET /api/v1/lists'),
  step('alice', 'PUT /api/v1/lists/{id}', LIST, { body: { title: 'Good friends', exclusive: 'maybe' } }),
  step('alice', 'PUT /api/v2/filters/keywords/{id}', KEYWORD, { name: 'part', body: { whole_word: false } }),
  step('alice', 'PUT /api/v2/filters/keywords/{id}', KEYWORD, {
    name: 'long',
    body: { keyword: 'x'.repeat(513) },
  }),
  step(
    'alice',
    'POST /api/v2/filters',
    {},
    { name: 'context as text', body: { title: 'x', context: 'home' } },
  ),
  step('alice', 'POST /api/v2/filters', {}, { name: 'no context', body: { title: 'x', context: [] } }),
  step('alice', 'GET /api/v2/filters/{id}', { id: '{filter}' }),
  step('bob', 'GET /api/v2/filters/{id}', { id: '{filter}' }),
  ...['follow', 'unfollow', 'feature', 'unfeature'].flatMap((act) =>
    ['rooks', 'ROOKS', '%23x', 'a%20b'].map((name) =>
      step('alice', `POST /api/v1/tags/{name}/${act}`, { name }),
    ),
  ),
  step('alice', 'POST /api/v1/featured_tags', {}, { name: 'blank', body: { name: '' } }),
  step('alice', 'POST /api/v1/featured_tags', {}, { name: 'twice', body: { name: 'ROOKS' } }),
  step('alice', 'POST /api/v1/domain_blocks', {}, { body: { domain: 'far.example' } }),
  step('alice', 'POST /api/v1/domain_blocks', {}, { name: 'in capitals', body: { domain: 'FAR.example' } }),
  step('alice', 'GET /api/v1/domain_blocks'),
  step('alice', 'DELETE /api/v1/domain_blocks', {}, { query: 'domain=far.example' }),
  step('alice', 'POST /api/v1/markers', {}, { body: { home: { last_read_id: '{post}' } } }),
  step('alice', 'POST /api/v1/markers', {}, { name: 'odd', body: { home: { last_read_id: 'x' } } }),
  step('alice', 'GET /api/v1/markers', {}, { query: 'timeline[]=home' }),
];
