import { type Step, step } from '../step.ts';

const PATHS = [
  '/api/v1/instance',
  '/api/v2/instance',
  '/api/v1/instance/rules',
  '/api/v1/instance/extended_description',
  '/api/v1/instance/privacy_policy',
  '/api/v1/instance/terms_of_service',
  '/api/v1/instance/peers',
  '/api/v1/instance/activity',
  '/api/v1/instance/languages',
  '/api/v1/instance/translation_languages',
  '/api/v1/donation_campaigns',
  '/api/v1/instance/domain_blocks',
  '/api/v1/custom_emojis',
  '/api/v1/announcements',
  '/.well-known/nodeinfo',
  '/.well-known/host-meta',
  '/.well-known/host-meta.json',
  '/.well-known/host-meta.xml',
  '/.well-known/oauth-authorization-server',
  '/nodeinfo/2.0',
  '/nodeinfo/2.1',
  '/manifest',
  '/robots.txt',
  '/health',
  '/api/v1/nothing',
  '/nothing',
  '/@alice',
  '/@nobody',
  '/users/alice',
  '/users/alice.rss',
  '/@alice/with_replies',
  '/@alice/followers',
  '/oauth/token/info',
];

const WEBFINGER = ['acct:alice@nowhere.example', 'nonsense', ''];

const CLIENT = { client_id: 'x', client_secret: 'y' };
const GRANTS: Readonly<Record<string, unknown>> = {
  'no grant': {},
  'unknown client': { ...CLIENT, grant_type: 'client_credentials' },
  'unknown grant': { ...CLIENT, grant_type: 'x' },
  'a code that is none': {
    ...CLIENT,
    grant_type: 'authorization_code',
    code: 'z',
    redirect_uri: 'https://a.example',
  },
};

const APPS: Readonly<Record<string, unknown>> = {
  good: {
    client_name: 'Tower',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    website: 'https://tower.example',
  },
  'without a name': { redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
  'without an address': { client_name: 'x' },
  'odd address': { client_name: 'x', redirect_uris: 'x' },
  'odd scope': { client_name: 'x', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'fly' },
  'odd website': { client_name: 'x', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', website: 'x' },
  'long name': { client_name: 'x'.repeat(300), redirect_uris: 'urn:ietf:wg:oauth:2.0:oob' },
};

/** Requests for information about the server, and the sign-in of apps. */
export const instance: readonly Step[] = [
  ...PATHS.flatMap((path) => [step(undefined, `GET ${path}`), step('alice', `GET ${path}`)]),
  ...WEBFINGER.map((resource) =>
    step(undefined, 'GET /.well-known/webfinger', {}, { query: `resource=${encodeURIComponent(resource)}` }),
  ),
  ...Object.entries(APPS).map(([name, body]) => step(undefined, 'POST /api/v1/apps', {}, { name, body })),
  ...Object.entries(GRANTS).map(([name, body]) => step(undefined, 'POST /oauth/token', {}, { name, body })),
  step(undefined, 'POST /oauth/revoke', {}, { body: { ...CLIENT, token: 'z' } }),
  step('alice', 'GET /oauth/userinfo'),
  step('profile', 'GET /oauth/userinfo'),
];
