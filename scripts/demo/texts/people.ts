import type { Portrait } from '../pictures/portraits.ts';

/** A person of the demo. */
export interface Person {
  username: string;
  name: string;
  bio: string;
  fields: readonly (readonly [name: string, value: string])[];
  portrait: Portrait;
  /** Days before the start of the demo on which the account was made. */
  joined: number;
  language?: 'de' | 'fr' | 'es' | 'ar';
  role?: 'Moderator' | 'Owner';
  locked?: true;
  bot?: true;
}

/** The people whose passwords the demo prints. */
export const PERSON = 'mira';
export const MODERATOR = 'jonas';
export const AUDITOR = 'ada';
export const OPERATOR = 'tom';

export const PEOPLE: readonly Person[] = [
  {
    username: PERSON,
    name: 'Mira Okafor',
    bio: 'Allotment plot 14, a blue bicycle, and binoculars in every coat. I count birds badly but often. Teaches maths when the light is bad. #birds #allotment',
    fields: [
      ['Pronouns', 'she/her'],
      ['Plot', '14, behind the water tank'],
      ['Best bird', 'Waxwings on Heron Street, 2021'],
    ],
    portrait: { motif: 'blue tit', palette: 'meadow', ground: 'hills' },
    joined: 300,
  },
  {
    username: MODERATOR,
    name: 'Jonas Brandt',
    bio: 'Moderator here. Stage technician, father of two, bakes rye on Sundays. Report things to me, I read all of it.',
    fields: [
      ['Role', 'Moderator'],
      ['Hours', 'evenings, after the washing up'],
      ['Languages', 'English, Deutsch'],
    ],
    portrait: { motif: 'loaf', palette: 'autumn', ground: 'rays' },
    joined: 390,
    role: 'Moderator',
  },
  {
    username: AUDITOR,
    name: 'Ada Lindqvist',
    bio: 'Treasurer of the allotment society. I check the sums of others for a living and the moderation log of this server for fun.',
    fields: [
      ['Role', 'Auditor of this server'],
      ['Favourite number', '1729'],
    ],
    portrait: { motif: 'books', palette: 'slate', ground: 'disc' },
    joined: 380,
    role: 'Moderator',
  },
  {
    username: OPERATOR,
    name: 'Tom Whitfield',
    bio: 'Keeps the little server under the stairs running. Radio amateur since I was nine. Replies may take as long as the kettle.',
    fields: [
      ['Role', 'Operator'],
      ['Call sign', 'ask me on the air'],
      ['Backup', 'every night, tested on Fridays'],
    ],
    portrait: { motif: 'mast', palette: 'dusk', ground: 'hills' },
    joined: 400,
    role: 'Owner',
  },
  {
    username: 'leila',
    name: 'Leila Haddad',
    bio: 'طبخ وحكايات من بيروت إلى ميلبروك. I cook for sixteen people or for nobody. Supper club every second Friday.',
    fields: [
      ['Kitchen', 'Upper Mill Lane'],
      ['لغات', 'العربية، English, français'],
    ],
    portrait: { motif: 'cup', palette: 'clay', ground: 'disc' },
    joined: 260,
    language: 'ar',
  },
  {
    username: 'camille',
    name: 'Camille Laurent',
    bio: 'Boulangère de nuit, lectrice de jour. Le pain du coin, c’est moi. Four à bois le samedi.',
    fields: [
      ['Fournil', '3, rue du Moulin'],
      ['Levain', 'Gaston, né en 2014'],
    ],
    portrait: { motif: 'goldfinch', palette: 'lemon', ground: 'rays' },
    joined: 240,
    language: 'fr',
  },
  {
    username: 'paco',
    name: 'Paco Herrera',
    bio: 'Mecánico de bicis. The Bike Kitchen, Thursdays from six: bring your bike, your patience and a cake.',
    fields: [
      ['Bike Kitchen', 'Thursdays, 18:00'],
      ['Bici', 'una Orbea del 84'],
    ],
    portrait: { motif: 'wheel', palette: 'sea', ground: 'split' },
    joined: 250,
    language: 'es',
  },
  {
    username: 'greta',
    name: 'Greta Vogel',
    bio: 'Vogelkundlerin mit dem passenden Namen. Zähle seit 1998, was am Mühlbach fliegt. Fernglas, Thermoskanne, Geduld.',
    fields: [
      ['Beobachtet', '187 Arten'],
      ['Gesucht', 'der Eisvogel, wieder'],
    ],
    portrait: { motif: 'kingfisher', palette: 'mint', ground: 'rays' },
    joined: 330,
    language: 'de',
  },
  {
    username: 'nils',
    name: 'Nils Aaltonen',
    bio: 'Wooden spoons, wooden boats, wooden jokes. Workshop in the old tram depot.',
    fields: [
      ['Workshop', 'Tram depot, bay 4'],
      ['Wood of the month', 'pear'],
    ],
    portrait: { motif: 'nuthatch', palette: 'clay', ground: 'hills' },
    joined: 210,
  },
  {
    username: 'ruth',
    name: 'Ruth Abrams',
    bio: 'Librarian at Millbrook branch. I will ask what you are reading, and I will judge the cover.',
    fields: [
      ['Library', 'Tue to Sat, 10 to 18'],
      ['Reading', 'three at once, as always'],
    ],
    portrait: { motif: 'wren', palette: 'plum', ground: 'disc' },
    joined: 310,
  },
  {
    username: 'sam',
    name: 'Sam Okoye',
    bio: 'Breakfast show on Canal FM, 104.2. Records, weather, lost cats. Requests are open, taste is not.',
    fields: [
      ['On air', 'weekdays 7 to 9'],
      ['Frequency', '104.2 MHz'],
    ],
    portrait: { motif: 'bullfinch', palette: 'dawn', ground: 'rays' },
    joined: 280,
  },
  {
    username: 'ines',
    name: 'Inés Castillo',
    bio: 'Ilustradora. Dibujo tejados, gatos y la gente que espera el autobús. Encargos abiertos.',
    fields: [
      ['Estudio', 'calle de la Garza 9'],
      ['Tinta', 'siempre negra, casi siempre'],
    ],
    portrait: { motif: 'quill', palette: 'dawn', ground: 'split' },
    joined: 190,
    language: 'es',
  },
  {
    username: 'priya',
    name: 'Priya Raman',
    bio: 'Pickles, dal, and opinions about both. Chemist on weekdays. Runs the seed swap with Henry.',
    fields: [
      ['Seed swap', 'first Saturday'],
      ['Jars', '212 and counting'],
    ],
    portrait: { motif: 'pot', palette: 'autumn', ground: 'disc' },
    joined: 230,
  },
  {
    username: 'henry',
    name: 'Henry Marsh',
    bio: 'Retired postman. Plot 12 since 1979. Leeks, dahlias, grumbling.',
    fields: [
      ['Plot', '12'],
      ['Leeks', 'second prize, again'],
    ],
    portrait: { motif: 'robin', palette: 'mint', ground: 'hills' },
    joined: 270,
  },
  {
    username: 'yuki',
    name: 'Yuki Tanaka',
    bio: 'Photographs of fog, cranes (both kinds) and closed shops. Film when I can afford it.',
    fields: [
      ['Camera', 'older than me'],
      ['Darkroom', 'the bathroom, after ten'],
    ],
    portrait: { motif: 'camera', palette: 'lake', ground: 'split' },
    joined: 200,
  },
  {
    username: 'omar',
    name: 'Omar Nasser',
    bio: 'خطّاط ومعلّم. I write slowly. Followers by approval; say hello first.',
    fields: [
      ['ورشة الخط', 'مساء الثلاثاء'],
      ['Ink', 'made from soot and honey'],
    ],
    portrait: { motif: 'moon', palette: 'night', ground: 'disc' },
    joined: 180,
    language: 'ar',
    locked: true,
  },
];
