import type { Random } from './random.ts';

/** Ids that are malformed or that nothing has. */
const IDS = [
  ...['0', '-1', '1', '9223372036854775807', '9223372036854775808', '18446744073709551615'],
  ...['18446744073709551616', '9'.repeat(400), '007', '1.0', '1e5', '0x10', ' 1', '+1', '١٢٣'],
];

const TEXTS = [
  ...['', ' ', '\n\r\t', '\0', 'a\0b', '\ud800', 'x\udfff', '\ud83d', '\u202eevil\u202c', '\u2066a\u2069'],
  ...['\ufeff', '\uffff', '\u200b\u200d', 'e' + '\u0301'.repeat(300), '👩‍👩‍👧‍👦'.repeat(50), '😀'.repeat(600)],
  ...['null', 'undefined', 'NaN', '1e309', '-0', '[object Object]', '__proto__', 'constructor', 'toString'],
  ...[
    "'; drop table accounts; --",
    '"><script>alert(1)</script>',
    '%',
    '%00',
    '%s%n',
    '\\',
    '../../etc/passwd',
  ],
  ...[
    '${jndi:ldap://x}',
    '{{7*7}}',
    '(?:a+)+$',
    '*',
    '&',
    ':*',
    '!',
    'a & b | !',
    '<a href="',
    '&#0;',
    '@',
    '#',
  ],
  ...[
    '@@',
    '@a@',
    'a@b@c',
    '@x@localhost',
    '#'.repeat(50),
    'x'.repeat(5_001),
    'x'.repeat(70_000),
    ' x '.repeat(999),
  ],
];

const DATES = [
  ...[
    '2026-11-22T10:00:00Z',
    '2027-01-01',
    '2027-01-01T12:00',
    '9999-12-31T23:59:59Z',
    '10000-01-01T00:00:00Z',
  ],
  ...['-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00.000Z', '+275760-09-14T00:00:00.000Z', '0000-00-00'],
  ...['2026-02-30', '2026-13-01', '1969-12-31', '0001-01-01', '4714-11-24', '-4714-11-24', 'infinity', 'now'],
  ...['294277-01-01', '2026-11-22T24:00:00Z', '2026-11-22T10:00:00+99:99', '2026-W01', '1'],
];

const NUMBERS = [
  ...[
    0,
    -0,
    -1,
    1,
    1.5,
    -1.5,
    40,
    80,
    1_000,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 63,
    2 ** 64,
  ],
  ...[1e21, 1e300, -1e300, Number.MIN_VALUE, 5e-7],
];

/** Valid values by parameter name; other texts of a valid request come from `WORDS`. */
const SOUND: Record<string, readonly unknown[]> = {
  context: ['home', 'public', 'account'],
  domain: [
    'bad.example',
    'worse.example',
    'xn--bcher-kva.example',
    'com',
    'a..b',
    '-a.example',
    '[::1]',
    '1.2.3.4',
  ],
  email: ['troll@mail.example', 'a@b', 'tröll@mail.example'],
  expires_in: [300, 3_600, 86_400],
  ip: [
    '203.0.113.7',
    '203.0.113.0/24',
    '2001:db8::/32',
    '203.0.113.7/99',
    '::ffff:203.0.113.7',
    '203.0.113.007',
  ],
  keys: ['new_users', 'active_users', 'tag_uses', 'instance_accounts', 'sources', 'languages'],
  language: ['en', 'de', 'zh-TW', 'xx', 'en-US-x-very-long-private-use'],
  locale: ['en', 'de'],
  scheduled_at: ['2035-01-01T00:00:00Z', '2035-01-01T01:00:00Z'],
  severity: ['sign_up_block', 'silence', 'suspend', 'noop', 'no_access'],
  supported_types: ['mention', 'status'],
  types: ['mention', 'follow', 'nonsense'],
  visibility: ['public', 'unlisted', 'private', 'direct'],
};
const WORDS = [
  'hello',
  'rooks',
  'Krähe #rooks',
  '@alice hello',
  '🎉',
  'a',
  'true',
  '2027-01-01',
  'none',
  'spam',
] as const;

/** Returns an invalid text. */
export const nastyText = (random: Random): string =>
  random.pick([IDS, TEXTS, TEXTS, DATES].flatMap((texts) => [random.pick(texts)]));

/** Returns a path segment that names nothing, percent-encoded, sometimes incorrectly. */
export function nastySegment(random: Random): string {
  if (random.chance(0.2)) {
    return random.pick([
      '%',
      '%E0%A4',
      '%ff',
      '%00',
      '1%00',
      '%c0%af',
      '%ed%a0%80',
      '%u0041',
      '..%2f..',
      '%2e%2e',
      '%252e',
    ]);
  }
  const text = random
    .pick([random.pick(IDS), nastyText(random)])
    .toWellFormed()
    .slice(0, 2_000);
  return encodeURIComponent(text === '' || text === '.' || text === '..' ? '-' : text);
}

/** Returns a value that the schema mostly refuses, ready for `JSON.stringify`. */
export function nastyValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 4 : 9)) {
    case 0:
      return random.pick(NUMBERS);
    case 1:
      return random.pick([null, true, false]);
    case 2:
    case 3:
      return nastyText(random);
    case 4:
      return Array.from({ length: random.below(3) }, () => nastyValue(random, depth + 1));
    case 5:
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [nastyName(random), nastyValue(random, depth + 1)]),
      );
    case 6:
      return Array.from({ length: 1_001 }, (_, index) => random.pick([String(index), index]));
    case 7:
      return random.pick([
        { '0': 'a', '1': 'b' },
        { '0': { id: '1' } },
        { '5': 'x' },
        { length: 3 },
        { '-1': 'x' },
      ]);
    default:
      return [[[nastyValue(random, depth + 1)]]];
  }
}

const nastyName = (random: Random): string =>
  random.pick([
    'a',
    '',
    '0',
    'id',
    'length',
    'toJSON',
    'then',
    'valueOf',
    'a[b]',
    'a.b',
    '\u202e',
    'hasOwnProperty',
  ]);

/** Returns a plausible text for a parameter of this name. */
export const soundText = (random: Random, name: string): unknown => random.pick(SOUND[name] ?? WORDS);
