import { type Draft, said } from './draft.ts';

/** The hashtag that trends. */
export const TRENDING = 'HeronCount';

/** The last two days: the count of birds on Heron Street, which everybody takes part in, and what else is new. */
export const LATE_POSTS: readonly Draft[] = [
  said(
    'mira',
    'The Heron Street bird count is this weekend. One hour, one window or bench, every bird that lands. Post your list with #HeronCount and I add it all up on Sunday. Children count double (as counters, not as birds).',
    {
      key: 'count',
      minutes: 2700,
      pictures: [
        ['blue tit', 'A blue tit with a yellow breast on a branch.'],
        ['robin', 'A robin on a branch.'],
        ['greenfinch', 'A greenfinch on a branch.'],
        ['wren', 'A wren on a branch.'],
      ],
      replies: [
        said('sam', 'Announced on the breakfast show, twice, once with a bird whistle. #HeronCount', {
          minutes: 2600,
        }),
        said('greta', 'Ich zähle am Bach und nehme Mühlenweg 1 bis 30 dazu. #HeronCount', {
          lang: 'de',
          minutes: 2580,
        }),
        said('henry', 'Do I count the one that I argue with? #HeronCount', {
          minutes: 2500,
          replies: [said('mira', 'Once. However long the argument is.', { minutes: 2480 })],
        }),
      ],
    },
  ),
  said(
    'beth',
    'Year four is ready: 30 pencils, 30 clipboards, one hamster who promised to sit still. #HeronCount #school',
    { minutes: 1500, pictures: [['bullfinch', 'A bullfinch on a branch.']] },
  ),
  said(
    'greta',
    'Mühlbach, 8 bis 9 Uhr: 9 Blaumeisen, 4 Kohlmeisen, 2 Stockenten, 1 Wasseramsel, 1 Eisvogel (!!!). #HeronCount #vögel',
    {
      lang: 'de',
      minutes: 620,
      pictures: [['kingfisher', 'Ein Eisvogel auf einem Ast.']],
      key: 'gretacount',
      replies: [
        said('mira', 'One kingfisher on the official list of Heron Street. I am framing this. #HeronCount', {
          minutes: 600,
        }),
        said('yuki', 'Of course it comes when I am at the dentist.', { minutes: 590 }),
      ],
    },
  ),
  said(
    'henry',
    'Plot 12: one robin, four sparrows, one pigeon of the argumentative kind. #HeronCount #allotment',
    { minutes: 560 },
  ),
  said(
    'aisha',
    'Counted from the bus stop after the night shift: 3 gulls, 11 jackdaws, 1 thing that was a glove. #HeronCount',
    { minutes: 540 },
  ),
  said('lars', 'From the roof of the boat: 6 mallards, 2 moorhens, my landlady. #HeronCount', {
    minutes: 480,
    pictures: [['water', 'A boat on the canal in the morning.']],
  }),
  said(
    'felix',
    'Führerstand, Abfahrt 9:14: Turmfalke, 2 Graureiher, ungezählte Krähen. Zählen nur bei Halt. #HeronCount',
    { lang: 'de', minutes: 450 },
  ),
  said(
    'ines',
    'Desde la ventana: cinco gorriones, una urraca, y la paloma triste, que hoy parecía contenta. #HeronCount',
    {
      lang: 'es',
      minutes: 430,
      pictures: [
        ['street', 'Tejados de colores con ventanas encendidas.'],
        ['wren', 'Un pájaro pequeño en una rama.'],
      ],
    },
  ),
  said('leila', 'من شرفة المطبخ: سبعة عصافير وحمامتان وقطة تعدّها أيضاً. #HeronCount', {
    lang: 'ar',
    minutes: 410,
  }),
  said('camille', 'Devant le fournil : douze moineaux, tous clients. #HeronCount', {
    lang: 'fr',
    minutes: 380,
  }),
  said(
    'rosa',
    'Community garden: 2 blackbirds, 8 sparrows, 1 wren that shouted at all of us. #HeronCount #heronstreet',
    {
      minutes: 350,
      pictures: [
        ['wren', 'A wren on a branch.'],
        ['garden', 'Rows of plants.'],
      ],
    },
  ),
  said('mira', 'So far: 23 lists, 31 kinds, 412 birds, one glove. Keep going until sunset. #HeronCount', {
    key: 'sofar',
    minutes: 240,
    replies: [
      said('ada', 'I checked the sum. It is 411 and a glove. #HeronCount', {
        minutes: 225,
        replies: [said('mira', 'This is why you are the auditor.', { minutes: 214 })],
      }),
      said('priya', 'The glove was mine. Please do not ring it.', { minutes: 190 }),
      said('kit', 'I drew the glove with a wing. May I print your sum under it?', { minutes: 182 }),
      said('vera', 'The choir would like to sing the list. Alphabetically.', { minutes: 150 }),
    ],
  }),
  said('mira', 'Which bird will be the most frequent when I add up the lists tonight? #HeronCount', {
    minutes: 1380,
    poll: { options: ['House sparrow, as always', 'Jackdaw', 'Blue tit', 'The glove'], hours: 48 },
  }),
  said('priya', 'The glove needs a home. Where should it go? #HeronCount', {
    minutes: 86,
    poll: {
      options: [
        'On the gate, next to the boot',
        'On the trophy shelf',
        'Back to me, it is cold',
        'On the coot’s nest',
      ],
      hours: 24,
    },
    replies: [said('lars', 'My landlady would accept.', { minutes: 62 })],
  }),
  said(
    'beth',
    'The robin that year four counted on Friday was on the school roof today with a friend. Thirty children cheered. The friend left. The robin stayed.',
    {
      warning: 'Robin news, includes a small disappointment',
      minutes: 41,
      pictures: [['robin', 'A robin with an orange breast on a branch.']],
    },
  ),
  said(
    'kit',
    'Special issue of Slow Puncture tonight: all the lists, one drawing of the glove. #HeronCount #zines',
    { minutes: 170, pictures: [['quill', 'A quill above a line of ink.']] },
  ),
  said(
    'sam',
    'Evening special at six: Mira reads the results of the count, I make the noises. :canalfm: #HeronCount #radio',
    {
      minutes: 130,
      pictures: [['radio', 'A radio mast with waves.']],
      replies: [
        said('mira', 'He will make the noises anyway. Please listen so that it is worth it.', {
          minutes: 118,
        }),
      ],
    },
  ),
  said(
    'jonas',
    'Baked 40 rolls for the counters. They are shaped like birds. Some are shaped like gloves now, out of solidarity. #bread #HeronCount',
    {
      minutes: 95,
      pictures: [
        ['bread', 'A loaf with three cuts on a plate.'],
        ['cup', 'A steaming cup.'],
      ],
    },
  ),
  said(
    'paco',
    'Bike Kitchen on Thursday: lights check for everybody before winter. Free, you pay in cake. @mira, your back tyre is ready. #bikes',
    { minutes: 75, pictures: [['bike', 'A bicycle wheel with twelve spokes.']] },
  ),
  said(
    'dana',
    'Made a bowl in “411 sparrows and a glove” brown. Sold before it cooled. @mira, yours is in the second firing. #pottery',
    { minutes: 50, pictures: [['pot', 'A pot with a zigzag band.']] },
  ),
  said(
    'yuki',
    'The last light of the count day over Heron Street :heronmoon: Seven frames left on the roll, all of them spent here. @mira, this one is for the poster.',
    {
      minutes: 33,
      pictures: [
        ['street', 'A row of houses in the evening light, many windows lit.'],
        ['landscape', 'Hills below a low sun.'],
        ['water', 'The canal with a boat.'],
      ],
    },
  ),
  said(
    'tom',
    'The server had its busiest day of the year: 4 posts a minute at noon. It coped. So did I. #HeronCount',
    { minutes: 22, replies: [said('ada', 'Your backup ran as well. I looked.', { minutes: 15 })] },
  ),
  said(
    'ruth',
    'The library has put out every bird book that we own. One is upside down so that the goldfinches can read it. #HeronCount #books',
    { minutes: 12, pictures: [['books', 'A stack of four books.']] },
  ),
  said('nils', '@mira I have carved you a trophy for the count. It is a glove. It is pear wood.', {
    minutes: 6,
    pictures: [['tiles', 'A pattern like inlaid wood.']],
  }),
];

/** Private mentions: each list is a conversation, answered one by one. Minutes before the end. */
export const CONVERSATIONS: readonly {
  with: readonly string[];
  lines: readonly (readonly [by: string, text: string, minutes: number])[];
}[] = [
  {
    with: ['greta', 'mira'],
    lines: [
      ['greta', 'The alder by the old mill, Sunday, half past six? I bring the thermos.', 3100],
      ['mira', 'I will be there. I will bring nothing that rustles.', 3060],
      ['greta', 'Perfect. And the list from 1998, you asked for it: I found it in the piano stool.', 260],
    ],
  },
  {
    with: ['jonas', 'mira'],
    lines: [
      ['mira', 'There was a rude reply under my towpath post. I reported it, no hurry.', 39_000],
      ['jonas', 'Thank you. I have seen it and will deal with it this evening.', 38_900],
    ],
  },
  {
    with: ['leila', 'mira', 'nour'],
    lines: [
      ['leila', 'Supper club after the count? I keep three chairs.', 1200],
      ['nour', 'Yes, and I bring the poem about the glove.', 1150],
    ],
  },
  {
    with: ['omar', 'mira'],
    lines: [
      [
        'omar',
        'The name plate for plot 14 is dry. Arabic on one side, English on the other, Euler on both.',
        45,
      ],
    ],
  },
];
