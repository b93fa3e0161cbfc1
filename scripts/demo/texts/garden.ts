import { type Draft, said } from './draft.ts';

/** The allotments, the community garden, and the weather on both. */
export const GARDEN_POSTS: readonly Draft[] = [
  said(
    'henry',
    'Second prize for the leeks. Again. The winner grows his in drainpipes, which I call engineering and not gardening. #allotment',
    {
      key: 'leeks',
      pictures: [['garden', 'Rows of vegetables, a shed behind them.']],
      replies: [
        said('priya', 'They were robbed leeks. We all saw them.'),
        said('mira', 'Your leeks have character. His have a diameter.', {
          replies: [said('henry', 'I am having that painted on the shed.')],
        }),
        said('ada', 'As treasurer I must stay neutral. As a person: drainpipes, honestly.'),
      ],
    },
  ),
  said(
    'mira',
    'First frost on plot 14. The chard does not mind, the dahlias mind terribly, and I have lifted them one week late as every year. #allotment',
    {
      pictures: [
        ['garden', 'Rows of chard and cabbage on an autumn morning.'],
        ['flower', 'A red flower with eight petals.'],
      ],
    },
  ),
  said(
    'rosa',
    'We need compost, leaves, and three people with wheelbarrows on Saturday at ten. There will be soup. There will be a wheelbarrow race that I officially know nothing about. #heronstreet',
    {
      replies: [
        said('lars', 'I bring soup. I have the pot from the boat, it feeds twenty.'),
        said('nils', 'I bring a wheelbarrow with suspicious modifications.'),
        said('aisha', 'I come after the night shift, so please give me the slow wheelbarrow.'),
      ],
    },
  ),
  said(
    'priya',
    'Seed swap on Saturday: I have eleven kinds of chilli, forty envelopes of peas, and one jar labelled “not sure, came up purple”. #seedswap',
    {
      replies: [
        said('henry', 'I will take the purple ones. At my age one can risk it.'),
        said('camille', 'Je cherche de la roquette sauvage, j’échange contre du levain.', { lang: 'fr' }),
      ],
    },
  ),
  said('henry', 'To the fox that dug up plot 12: there was nothing under there but more plot 12. #allotment'),
  said('mira', 'What do I sow under cover now that nobody has told me about yet?', {
    poll: {
      options: ['Winter lettuce', 'Broad beans', 'Garlic, obviously', 'Sow nothing, read a book'],
      hours: 120,
      multiple: true,
    },
    day: 17,
    replies: [
      said(
        'rosa',
        'Garlic on the shortest day, harvest on the longest. My grandmother would rise from the grave to tell you.',
      ),
    ],
  }),
  said(
    'rosa',
    'Somebody left a bag of quinces at the gate with a note: “Too many. Help.” Thank you, somebody. We are helping. #heronstreet',
    {
      pictures: [['cup', 'A steaming cup on a plate with a striped cloth.']],
      replies: [said('leila', 'Bring me six and I will give you back three jars of jam and one secret.')],
    },
  ),
  said(
    'henry',
    'The water on the allotments is off from Monday until March. Fill your cans. Fill your neighbour’s cans. #allotment',
    {
      edited:
        'The water on the allotments is off from TUESDAY (not Monday) until March. Fill your cans. Fill your neighbour’s cans. #allotment',
    },
  ),
  said(
    'ada',
    'Allotment society accounts: we have 412.80 in the box, of which 9.20 is buttons. Whoever pays their rent in buttons, I admire you and I have noticed.',
    {
      replies: [
        said('kit', 'Some of those are very nice buttons.', {
          replies: [said('ada', 'I have noticed you as well.')],
        }),
        said('henry', 'In my day it was foreign coins.'),
      ],
    },
  ),
  said(
    'mira',
    'Grew one (1) pumpkin. It has a name. The name is Euler. It will not be soup, please stop asking. #allotment',
    {
      key: 'euler',
      pictures: [['garden', 'Orange pumpkins in rows before a shed.']],
      replies: [
        said('leila', 'I did not ask. I only sharpened a knife near you.'),
        said('beth', 'Year four has voted. Euler is invited to class as a guest lecturer.'),
        said('camille', 'Une tarte à la citrouille ne pose pas de questions.', { lang: 'fr' }),
      ],
    },
  ),
  said(
    'dana',
    'Glaze test number 40: exactly the green of Henry’s cabbages in rain. I wrote “Henry” on the jar.',
    {
      pictures: [
        ['pot', 'A round pot with a zigzag pattern.'],
        ['tiles', 'A pattern of tiles in green and white.'],
      ],
    },
  ),
  said(
    'rosa',
    'Hedge planting went well: 60 hawthorns, 12 children, one lost boot. The boot is on the gate. #heronstreet',
    {
      pictures: [
        ['landscape', 'Green hills with small trees.'],
        ['meadow', 'Flowers in a meadow.'],
        ['garden', 'A garden with rows of plants.'],
        ['street', 'A row of coloured houses.'],
      ],
    },
  ),
  said('priya', 'Chilli harvest: 3.2 kilos. Friends I still have after offering them around: most.', {
    pictures: [['pot', 'A clay pot in the middle of a tiled ground.']],
    replies: [
      said('sam', 'I ate one live on air. The switchboard was concerned.', {
        replies: [said('priya', 'You were warned in writing.')],
      }),
    ],
  }),
  said('lars', 'Container garden on the roof of the boat: chives, parsley, one tomato with sea legs.', {
    pictures: [['water', 'A boat with a white sail.']],
  }),
  said('henry', 'People ask how deep to plant garlic. As deep as a letterbox is wide. I know letterboxes.'),
  said(
    'mira',
    'The bees on plot 14 have gone quiet. I told them the news, as one should: frost, maths tests, and that Euler is safe.',
    { pictures: [['flower', 'A flower in front of tiles.']] },
  ),
  said(
    'aisha',
    'Ran past the allotments at sunrise. Smelled bonfire, leeks and somebody’s coffee. Ten out of ten, no notes.',
    { pictures: [['landscape', 'Sunrise over hills.']] },
  ),
  said(
    'kit',
    'Found in the free box on Heron Street: one trowel, half a set of encyclopedias (A to L), a note saying “good luck”.',
    { replies: [said('ruth', 'The library has M to Z. This is how it starts.')] },
  ),
  said(
    'beth',
    'The school garden has grown one carrot with two legs. It wears trousers now. I did not make the trousers, I only bought the felt. #school',
  ),
  said('rosa', 'Rain barrel full, worms happy, gloves lost. A good week in the garden. #heronstreet', {
    pictures: [['garden', 'A garden in the rain.']],
  }),
];
