/** Differences that a row of `docs/differences-from-mastodon.md` explains: one kind, for some operations. */
export interface Explained {
  /** The first cell of the row. */
  row: string;
  /** `POST /api/v1/statuses`, or `/api/v1/admin/*` for every method of all paths below. */
  operations: readonly string[];
  /**
   * Places as `compare` prints them: `status: 200 ↔ 422`. An explained status explains the rest of the reply.
   */
  places: RegExp;
  /** Applies only to steps with a matching name. */
  steps?: RegExp;
}

const ADMIN = ['/api/v1/admin/*', '/api/v2/admin/*'];
const INSTANCE = ['/api/v1/instance', '/api/v2/instance', '/nodeinfo/*', '/.well-known/nodeinfo'];
const REFUSED = /^status: 200 ↔ 422$/;

/** Every kind of difference that stays. */
export const EXPLAINED: readonly Explained[] = [
  {
    row: 'Any path with input that makes Mastodon fail',
    operations: ['*'],
    places: /^status: 500 ↔ [24]\d\d$/,
  },
  { row: 'Any path with a refused body', operations: ['*'], places: /^body\.details: nothing ↔ / },
  {
    row: 'Any path, a member of another type',
    operations: ['*'],
    steps: /that is an object$|numbers as text$/,
    places: /^status: 200 ↔ 422$|^body\.error: .*is invalid"$/,
  },
  {
    row: 'Any path for staff with a bad or revoked token',
    operations: ADMIN,
    steps: /with a token that is none/,
    places: /^status: 40[034] ↔ 401$/,
  },
  {
    row: 'Any answer with an account for staff',
    operations: ADMIN,
    places: /^body[\w.]*\.ips?(?:\.\d+)?: (?:null|nothing) ↔ /,
  },
  {
    row: 'Any answer with a relationship',
    operations: ['/api/v1/accounts/*', '/api/v1/follow_requests/*'],
    places: /^body(?:\.\d+)?\.blocked_by: false ↔ nothing$/,
  },
  {
    row: 'Paths that only Rookery has',
    operations: [
      'GET /nodeinfo/2.1',
      '/api/v1/admin/reports/:id/notes',
      '/api/v1/admin/reports/:id/action',
      '/api/v1/:account_id/collections',
      '/api/v1/:account_id/in_collections',
      'PATCH /api/v1/preferences',
      'POST /api/v1/follows',
      '/api/v1/filters/keywords/:id',
    ],
    places: /^status: 404 ↔ |^body\.error: "Not Found" ↔ "Record not found"$/,
  },
  {
    row: '`/api/v1/admin/relays*`',
    operations: ['/api/v1/admin/relays*'],
    places: /^status: 404 ↔ |^body\.error: "Not Found" ↔ "Record not found"$/,
  },
  {
    row: 'What a server says of itself',
    operations: INSTANCE,
    places:
      /^body\.(?:version|source_url|title|thumbnail|icon|invites_enabled|registrations\.url|configuration\.vapid|metadata|software|links|configuration\.media_attachments\.supported_mime_types)\b/,
  },
  { row: 'What a server says of itself', operations: ['/nodeinfo/*'], places: /^headers\.content-type: / },
  {
    row: 'What a server says of itself',
    operations: ['GET /api/v1/instance/privacy_policy', 'GET /robots.txt', 'GET /health'],
    places: /^(?:body|headers\.content-type)/,
  },
  {
    row: '`GET /api/v1/instance/domain_blocks`, `GET /.well-known/webfinger`',
    operations: ['GET /api/v1/instance/domain_blocks', 'GET /.well-known/webfinger'],
    places: /^headers\.content-type: "text\/html" ↔|^body: "" ↔ \{"error"/,
  },
  {
    row: '`GET /api/v1/peers/search`',
    operations: ['GET /api/v1/peers/search'],
    places: /^body: null ↔ \[\]$/,
  },
  {
    row: '`GET /api/v1/preferences`',
    operations: ['GET /api/v1/preferences'],
    places: /^body\.reading:aggregate:reblogs: nothing ↔ /,
  },
  {
    row: '`/api/v1/collections*`',
    operations: ['/api/v1/collections*'],
    places: /^body\.error: \{"details"/,
  },
  {
    row: '`POST /api/v1/collections` without `sensitive` or `discoverable`',
    operations: ['POST /api/v1/collections'],
    places: /^body\.details\.(?:sensitive|discoverable): /,
  },
  {
    row: '`PATCH /api/v1/collections/:id` with an empty `language` or `tag_name`',
    operations: ['PATCH /api/v1/collections/:id'],
    steps: /blank (?:language|tag_name)$/,
    places: /^status: 422 ↔ 200$/,
  },
  {
    row: '`GET /api/v1/statuses/:id/history` of a post with mentions',
    operations: ['GET /api/v1/statuses/:id/history'],
    places: /^body\.\d+\.content: ".*@.*" ↔ ".*u-url mention/,
  },
  {
    row: '`/api/v1/admin/canonical_email_blocks`',
    operations: ['/api/v1/admin/canonical_email_blocks'],
    places: REFUSED,
  },
  {
    row: '`/api/v1/admin/ip_blocks`',
    operations: ['/api/v1/admin/ip_blocks*'],
    places: /^status: 200 ↔ 422$|^body\.severity: null ↔ /,
  },
  {
    row: '`/api/v1/admin/reports*`',
    operations: ['/api/v1/admin/reports*'],
    places: /^body(?:\.\d+)?\.collection_ids: nothing ↔ /,
  },
  {
    row: '`POST /api/v1/admin/measures`, `POST /api/v1/admin/retention`, `POST /api/v1/admin/canonical_email_blocks/test` without a parameter, by others than staff',
    operations: [
      'POST /api/v1/admin/measures',
      'POST /api/v1/admin/retention',
      'POST /api/v1/admin/canonical_email_blocks/test',
    ],
    places: /^status: 400 ↔ 403$/,
  },
  {
    row: '`PATCH /api/v1/accounts/update_credentials` with an unknown `source[language]`',
    operations: ['PATCH /api/v1/accounts/update_credentials'],
    steps: /odd language$/,
    places: REFUSED,
  },
  {
    row: '`PATCH /api/v1/accounts/update_credentials` with an unknown `source[language]`',
    operations: ['*'],
    places: /^body\.source\.language: "xx" ↔ /,
  },
  {
    row: '`PATCH /api/v1/collections/:id` with `description` null',
    operations: ['PATCH /api/v1/collections/:id'],
    places: /^body\.collection\.description: null ↔ ""$/,
  },
  {
    row: '`GET /api/v1/instance/activity`',
    operations: ['GET /api/v1/instance/activity'],
    places: /^body\.\d+\.statuses: /,
  },
  {
    row: '`GET /api/v1/tags/:name` and other answers with a hashtag: `history` after a deletion',
    operations: ['GET /api/v1/tags/:name', 'GET /api/v2/search', 'GET /api/v1/admin/tags'],
    places: /\.history\.\d+\.(?:accounts|uses): /,
  },
  {
    row: '`GET /api/v1/admin/trends/*`',
    operations: ['GET /api/v1/admin/trends/*'],
    places: /^status: 200 ↔ 40[13]$/,
  },
  {
    row: '`POST /api/v1/push/subscription`',
    operations: ['POST /api/v1/push/subscription'],
    places: REFUSED,
  },
];
