import type { Person } from './people.ts';

/** The other people, among them those whom staff had to do with. */
export const NEIGHBOURS: readonly Person[] = [
  {
    username: 'beth',
    name: 'Beth Gallagher',
    bio: 'Year four teacher. Thirty children, one hamster, no quiet. Knits in meetings.',
    fields: [
      ['School', 'Canal Road Primary'],
      ['Hamster', 'Professor Biscuit'],
    ],
    portrait: { motif: 'long-tailed tit', palette: 'plum', ground: 'hills' },
    joined: 170,
  },
  {
    username: 'felix',
    name: 'Felix Neumann',
    bio: 'Lokführer. Fotografiere Signale, Nebel und leere Bahnsteige. Fahrplan im Kopf.',
    fields: [
      ['Strecke', 'Millbrook – Hafen'],
      ['Dienst', 'meistens früh'],
    ],
    portrait: { motif: 'train', palette: 'slate', ground: 'rays' },
    joined: 160,
    language: 'de',
  },
  {
    username: 'aisha',
    name: 'Aisha Bello',
    bio: 'Night nurse, morning runner. Ten slow kilometres along the canal, then sleep.',
    fields: [
      ['Ward', '7, nights'],
      ['Slowest 10k', 'today, probably'],
    ],
    portrait: { motif: 'greenfinch', palette: 'sea', ground: 'hills' },
    joined: 150,
  },
  {
    username: 'elodie',
    name: 'Élodie Martin',
    bio: 'Relieuse. Je répare les livres que vous avez trop aimés. Papier marbré, colle de pâte, patience.',
    fields: [
      ['Atelier', 'derrière la bibliothèque'],
      ['Atelier ouvert', 'mercredi'],
    ],
    portrait: { motif: 'books', palette: 'dawn', ground: 'rays' },
    joined: 145,
    language: 'fr',
  },
  {
    username: 'lars',
    name: 'Lars Eriksen',
    bio: 'Lives on the narrowboat Solveig, mooring 22. Locks, ropes, soup.',
    fields: [
      ['Boat', 'Solveig, 1936'],
      ['Mooring', '22, by the willow'],
    ],
    portrait: { motif: 'boat', palette: 'lake', ground: 'hills' },
    joined: 220,
  },
  {
    username: 'nour',
    name: 'Nour Khalil',
    bio: 'شاعرة في إجازة. أترجم في النهار وأكتب على هامش الليل.',
    fields: [
      ['ترجمة', 'عربي، إنجليزي'],
      ['قراءة', 'كل خميس في المكتبة'],
    ],
    portrait: { motif: 'flower', palette: 'plum', ground: 'rays' },
    joined: 140,
    language: 'ar',
  },
  {
    username: 'dana',
    name: 'Dana Kowalski',
    bio: 'Potter. Mugs that fit your hand, bowls that do not match. Kiln opens on Mondays.',
    fields: [
      ['Kiln', 'cone 6'],
      ['Market', 'Saturdays, stall 31'],
    ],
    portrait: { motif: 'pot', palette: 'sea', ground: 'split' },
    joined: 130,
  },
  {
    username: 'weather',
    name: 'Millbrook Weather',
    bio: 'Readings from the roof of Canal Road Primary, twice a day. Built by year four and Tom.',
    fields: [
      ['Station', 'roof, 31 m'],
      ['Operated by', '@beth and @tom'],
    ],
    portrait: { motif: 'peaks', palette: 'lake', ground: 'disc' },
    joined: 120,
    bot: true,
  },
  {
    username: 'kit',
    name: 'Kit Marlow',
    bio: 'Zines, bread crusts, second-hand trousers. Prints on the library’s photocopier, with permission.',
    fields: [
      ['Pronouns', 'they/them'],
      ['Zine', 'Slow Puncture, no. 9'],
    ],
    portrait: { motif: 'goldfinch', palette: 'night', ground: 'split' },
    joined: 60,
  },
  {
    username: 'rosa',
    name: 'Rosa Delgado',
    bio: 'Looks after the community garden on Heron Street. Bring gloves. Bring children. Leave the dog.',
    fields: [
      ['Garden', 'open every day'],
      ['Needed', 'compost, always'],
    ],
    portrait: { motif: 'leaf', palette: 'lemon', ground: 'hills' },
    joined: 205,
  },
  {
    username: 'ben',
    name: 'Ben Carter',
    bio: 'Drone pilot, gutter cleaner, optimist. I film roofs so that you need not climb on them.',
    fields: [['Van', 'the yellow one']],
    portrait: { motif: 'waxwing', palette: 'slate', ground: 'hills' },
    joined: 90,
  },
  {
    username: 'roy',
    name: 'Roy Grimes',
    bio: 'I say what others think. Canal towpath, mornings.',
    fields: [],
    portrait: { motif: 'bullfinch', palette: 'clay', ground: 'split' },
    joined: 85,
  },
  {
    username: 'vera',
    name: 'Vera Simić',
    bio: 'Community choir, altos, Wednesdays. Posts the same poster in four places, as one does with posters.',
    fields: [
      ['Choir', 'Wednesdays, 19:30'],
      ['Voice', 'alto, loud'],
    ],
    portrait: { motif: 'robin', palette: 'dusk', ground: 'rays' },
    joined: 110,
  },
  {
    username: 'bargains',
    name: 'Best Bargains Daily',
    bio: 'Unbeatable offers every hour!!! Ask me how.',
    fields: [],
    portrait: { motif: 'moon', palette: 'lemon', ground: 'split' },
    joined: 44,
  },
];

/** Deletes their own account during the six weeks, so their posts are gone at the end. */
export const GONE: Person = {
  username: 'pip',
  name: 'Pip',
  bio: 'Here for a while.',
  fields: [],
  portrait: { motif: 'wren', palette: 'mint', ground: 'disc' },
  joined: 70,
};

/** People who ask for an account. */
export const NEWCOMERS: readonly { username: string; reason: string; email?: string }[] = [
  { username: 'irma', reason: 'I moved into number 14 in October. Mira next door told me of this.' },
  { username: 'joost', reason: 'I mend bicycles at the bridge and would like to say when I am there.' },
  { username: 'bestdeals24', reason: 'marketing', email: 'bestdeals24@deals.example' },
];
