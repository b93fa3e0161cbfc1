/** A group of specs: what `describe` makes. */
export interface Group {
  title: string;
  tests: readonly { title: string }[];
  suites: readonly Group[];
}

/** A group with the folder below `test/` that its file is in. */
export interface FiledGroup {
  folder: string;
  group: Group;
}

/** Folders about how the server works inside; they come after the features. */
const INTERNAL = new Set([
  ...[
    'architecture',
    'conformance',
    'contracts',
    'e2e',
    'entities',
    'eventlog',
    'http',
    'jobs',
    'kernel',
    'net',
  ],
  ...['postgres', 'projections', 'quotas', 'reactors', 'redis', 'runtime', 'scripts', 'support'],
]);

/** Titles of folders whose name says too little to a reader of the document. */
const TITLES: Readonly<Record<string, string>> = {
  'as-of': 'States of the past',
  cards: 'Preview cards',
  cli: 'Command line',
  clients: 'Popular apps',
  crypto: 'Encrypted messages between devices',
  e2e: 'Whole processes',
  eventlog: 'Event log',
  history: 'Transparency log',
  http: 'HTTP',
  net: 'Requests to other servers',
  oauth: 'OAuth',
  oembed: 'oEmbed',
};

/** Returns one document in Markdown: a chapter for each folder, a heading for each group, a line for each test. */
export function specDocument(groups: readonly FiledGroup[]): string {
  const folders = [...new Set(groups.map(({ folder }) => folder))].sort();
  const part = (title: string, chosen: readonly string[]): string[] => [
    `# ${title}`,
    ...chosen.map((folder) => `- [${titleOf(folder)}](#${anchorOf(titleOf(folder))})`),
    ...chosen.flatMap((folder) => [
      `## ${titleOf(folder)}`,
      ...groups.filter((each) => each.folder === folder).flatMap(({ group }) => section(group, 3)),
    ]),
  ];
  const lines = [
    ...part(
      'What Rookery does',
      folders.filter((folder) => !INTERNAL.has(folder)),
    ),
    ...part(
      'How it works inside',
      folders.filter((folder) => INTERNAL.has(folder)),
    ),
  ];
  return `${spaced(lines)}\n`;
}

/** `admin-domain-blocks` is "Administration: domain blocks". */
function titleOf(folder: string): string {
  const words = folder.replace(/^admin-/, '').replaceAll('-', ' ');
  if (folder.startsWith('admin-')) return `Administration: ${words}`;
  return TITLES[folder] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** The anchor that GitHub gives to a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '-');

function section({ title, tests, suites }: Group, level: number): string[] {
  return [
    `${'#'.repeat(Math.min(level, 6))} ${escaped(title)}`,
    ...tests.map((test) => `- ${escaped(test.title)}`),
    ...suites.flatMap((suite) => section(suite, level + 1)),
  ];
}

/** Titles are plain text: HTML tags and emphasis in them are shown as they are. */
const escaped = (title: string): string => title.replaceAll(/[<*_]/g, (character) => `\\${character}`);

/** Puts an empty line around headings. */
const spaced = (lines: readonly string[]): string =>
  lines
    .map((line, index) =>
      index > 0 && (line.startsWith('#') || lines[index - 1]?.startsWith('#')) ? `\n${line}` : line,
    )
    .join('\n');
