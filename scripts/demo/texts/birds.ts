import { type Draft, said } from './draft.ts';

/** Birds, and the people who wait for them. */
export const BIRD_POSTS: readonly Draft[] = [
  said(
    'mira',
    'Hello, I am Mira. I teach maths, I keep plot 14 on the Heron Street allotments, and I have counted the birds on our street every November since 2016. Say hello if you see somebody standing very still beside a water tank. That is me. #introduction #birds #allotment',
    {
      key: 'introduction',
      day: 41,
      pinned: true,
      pictures: [['meadow', 'A meadow with white and yellow flowers on low hills.']],
      replies: [
        said('rosa', 'Welcome! The community garden has a very patient blackbird if you need a model.'),
        said('henry', 'Plot 12 here. I wondered who that was. I nearly watered you.', {
          replies: [said('mira', 'You did water me. Twice. It was fine, it was August.')],
        }),
        said(
          'sam',
          'Welcome aboard. Do you take requests? I have a gull that sings over the weather report.',
        ),
      ],
    },
  ),
  said(
    'mira',
    'Two goldfinches on the teasels this morning. They eat upside down and look at you as if you were the one doing it wrong. #birds',
    {
      pictures: [['goldfinch', 'A goldfinch with a red face stands on a branch.']],
      replies: [
        said('greta', 'Distelfinken! Bei mir am Bach waren es gestern elf.', { lang: 'de' }),
        said('beth', 'Year four would like to know if they ever get dizzy.', {
          replies: [
            said('mira', 'Tell year four I have watched for nine years and have never seen one fall.'),
          ],
        }),
      ],
    },
  ),
  said(
    'greta',
    'Der Eisvogel ist zurück am Mühlbach. Ein blauer Strich, ein Pfiff, weg. Elf Monate gewartet für zwei Sekunden, und ich würde es sofort wieder tun. #vögel',
    {
      key: 'kingfisher',
      lang: 'de',
      pictures: [
        ['kingfisher', 'Ein Eisvogel mit blauem Rücken und orangefarbener Brust sitzt auf einem Ast.'],
      ],
      replies: [
        said('mira', 'You saw it! I am delighted and only slightly jealous. Which bend of the brook?', {
          replies: [
            said(
              'greta',
              'Behind the old mill, the alder with the broken branch. Go early, stand still, wear nothing that rustles.',
            ),
          ],
        }),
        said('felix', 'Vom Zug aus habe ich ihn auch schon gesehen. Dachte, es sei ein Signal.', {
          lang: 'de',
        }),
        said(
          'yuki',
          'I have been trying to photograph that bird for three years. All my pictures are of water.',
        ),
      ],
    },
  ),
  said('yuki', 'Herons do not care about your schedule. Three hours, one frame, cold feet.', {
    pictures: [
      ['water', 'A sailing boat on still water below low hills.'],
      ['landscape', 'Hills in the evening with a few dark trees.'],
    ],
  }),
  said(
    'mira',
    'If a wren weighed as much as I do, it would sing loud enough to be heard in Denmark. I have not done the sums properly. I have done them badly, with great joy. #birds',
    {
      pictures: [['wren', 'A small brown wren on a branch.']],
      replies: [
        said('ada', 'I have done them properly. Norway.'),
        said('nils', 'Can confirm, heard it in Finland.'),
      ],
    },
  ),
  said('lars', 'A coot has built its nest on my rudder. I am now moored until April by order of a bird.', {
    key: 'coot',
    pictures: [['water', 'A boat on the canal in front of hills.']],
    replies: [
      said('rosa', 'These are the rules of the canal. The coot has right of way.'),
      said('mira', 'Please post weekly reports about your landlady.', {
        replies: [
          said(
            'lars',
            'She has rejected my first three offers of bread. She is right, bread is bad for them.',
          ),
        ],
      }),
    ],
  }),
  said(
    'greta',
    'Zwischenstand am Futterhaus: 14 Feldsperlinge, 6 Blaumeisen, 2 Kleiber, 1 Eichhörnchen, das sich für einen Vogel hält. #vögel',
    {
      lang: 'de',
      pictures: [
        ['nuthatch', 'Ein Kleiber mit blaugrauem Rücken auf einem Ast.'],
        ['blue tit', 'Eine Blaumeise auf einem Ast.'],
      ],
    },
  ),
  said(
    'beth',
    'Year four made bird feeders from milk cartons today. One has a balcony. One has a sign that says NO PIGEONS with a drawing of a sad pigeon, and now everybody feels bad. #birds #school',
    {
      pictures: [['bullfinch', 'A bullfinch with a rosy breast on a branch.']],
      replies: [
        said('ines', 'Quiero ilustrar a esa paloma triste. Es urgente.', {
          lang: 'es',
          replies: [said('beth', 'The artist is eight and available for collaborations after snack time.')],
        }),
      ],
    },
  ),
  said(
    'mira',
    'Question for people who know: the robin on plot 14 follows the fork. Does it like me or does it like worms?',
    {
      poll: {
        options: ['It likes you', 'It likes worms', 'It thinks that you are a pig', 'Both, in that order'],
        hours: 72,
      },
      day: 24,
      replies: [said('henry', 'To a robin a gardener is a slow pig with a hat. It is a compliment.')],
    },
  ),
  said(
    'aisha',
    'Came off shift at six, sat on the wall by the lock, and a robin sang at the lamp post as if it paid rent. Best colleague all night.',
    { pictures: [['robin', 'A robin on a branch.']] },
  ),
  said('felix', 'Turmfalke auf dem Einfahrsignal. Er stand auf Halt, also habe ich gewartet.', {
    lang: 'de',
  }),
  said(
    'mira',
    'Long-tailed tits are what you get if you ask a child to draw a bird and they run out of paper for the tail. A party of twelve went through the hedge at lunch. #birds',
    { pictures: [['long-tailed tit', 'A white and pink long-tailed tit with a very long tail.']] },
  ),
  said(
    'sam',
    'A listener rang to say that there is a parrot on the roof of the town hall. It was a woodpigeon wearing part of a party hat. We wish it well.',
    {
      replies: [
        said('kit', 'This is the cover of the next zine, thank you.'),
        said('priya', 'Wishing it many happy returns.'),
      ],
    },
  ),
  said(
    'mira',
    'Binocular question. My old pair fogs up inside. Repair or replace? I am attached to them, they have seen things.',
    {
      replies: [
        said('yuki', 'Repair. There is a man in Upper Mill Lane who cleans lenses and tells you about 1974.'),
        said('greta', 'Repair! Mine are from 1998 and have been cleaned four times.'),
        said('tom', 'If he cannot, bring them to me. I own very small screwdrivers and I want to use them.'),
      ],
    },
  ),
  said(
    'greta',
    'Heute um 7:12 Uhr: erste Rotdrosseln des Herbstes, ziehend, hoch, Richtung Südwest. Man hört sie, bevor man sie sieht.',
    { lang: 'de' },
  ),
  said(
    'rosa',
    'The blackbird in the community garden has learned the creak of the compost lid. It now arrives before the compost.',
    { pictures: [['garden', 'Rows of vegetables in front of a shed.']] },
  ),
  said(
    'lars',
    'Week three with the coot on the rudder: she has added a crisp packet to the nest. Cheese and onion. I respect the choice.',
    { quotes: 'coot' },
  ),
  said(
    'mira',
    'Greta found it, so I stood by the alder from six until my tea froze. Nothing. Then, as I packed up: a blue line. I said a word that I do not teach.',
    { quotes: 'kingfisher' },
  ),
  said(
    'nils',
    'Carved a decoy duck. A real duck has moved in with it. I feel responsible for the relationship.',
    { pictures: [['water', 'A small boat on a lake.']], replies: [said('dana', 'Do they need crockery?')] },
  ),
  said('yuki', 'Fog, and four cranes in it: two with feathers, two at the building site.', {
    pictures: [
      ['landscape', 'Pale hills with the sun behind fog.'],
      ['street', 'A row of houses with lit windows.'],
      ['night', 'The moon over dark hills.'],
    ],
  }),
];
