/** How the server presents itself. */
export const SERVER = {
  title: 'Heron Street',
  short_description:
    'A small server for the people around Heron Street and Millbrook: birds, bread, bicycles, books and the allotments. Everybody who likes to be neighbours is welcome.',
  extended_description: `<h2>Who we are</h2><p>Heron Street is run by four neighbours and one quiet computer under the stairs. Some two dozen of us write here, in five languages, mostly about what flies past.</p>
<h2>How it is paid</h2><p>The allotment society gives the electricity, the library gives the room for meetings, and Jonas gives the bread.</p>
<h2>How we moderate</h2><p>Three of us read reports every evening. We say what we did and why, anybody may appeal, and Ada checks the log of what we did.</p>`,
  contact_email: 'hello@heron-street.example',
  contact_account: 'tom',
  languages: 'en,de,fr,es,ar',
  thumbnail_description: 'Hills at dawn, with a bird on a branch in front of them.',
  privacy_policy:
    '<h2>What we store</h2><p>What you post, who you follow, and a hash of your password. No advertising, no tracking, and a backup every night.</p>',
} as const;

export const RULES: readonly (readonly [text: string, hint: string])[] = [
  ['Be a good neighbour', 'Disagree about leeks as much as you like. No threats, no slurs, no pile-ons.'],
  ['No selling by the hour', 'One post about your stall is welcome. The same post in four places is not.'],
  ['Ask before you show people', 'Faces, children and other people’s windows need a yes first.'],
  ['Describe your pictures', 'Some of us listen to them.'],
  ['Warn about spoilers and gore', 'The content warning is there for both.'],
];

/** Custom emojis: a shortcode, and the motif and palette of its picture. */
export const EMOJIS = [
  ['wheel', 'wheel', 'sea'],
  ['loaf', 'loaf', 'autumn'],
  ['leek', 'leaf', 'meadow'],
  ['canalfm', 'mast', 'clay'],
  ['teapot', 'cup', 'lake'],
  ['heronmoon', 'moon', 'dusk'],
  ['narrowboat', 'boat', 'sea'],
  ['inkpot', 'quill', 'plum'],
] as const;

export const ANNOUNCEMENT =
  'The Heron Street bird count is on this weekend. Post your list with #HeronCount, and come to the library on Sunday at six for the results, tea, and rolls in the shape of birds.';

/** A server that staff blocked: its domain, how, why, and the days since then. */
export const BLOCKED_DOMAINS = [
  ['cheap-followers.example', 'suspend', 'Sells follows, and sent us three hundred of them.', 33],
  ['rumour-mill.example', 'silence', 'Many reports about its replies, few answers from its staff.', 19],
  ['old-photos.example', 'noop', 'Only its pictures were a trouble.', 8],
] as const;

export const DRAFT =
  'The computer under the stairs moves to the library on Tuesday night. Expect an hour without us, and tell us if your pictures look odd afterwards.';

export const RULE_IN_GERMAN = {
  language: 'de',
  text: 'Sei ein guter Nachbar',
  hint: 'Streitet über Lauch, so viel ihr wollt. Keine Drohungen, keine Beleidigungen.',
};

export const TERMS = {
  text: 'You own what you write here.\n\nYou let us keep and show it to the people it is for.\n\nYou may leave with all of it at any time.',
  effectiveDate: '2026-11-01',
};
