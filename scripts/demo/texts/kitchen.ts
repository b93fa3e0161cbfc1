import { type Draft, said } from './draft.ts';

/** Cooking, baking, and who eats it. */
export const KITCHEN_POSTS: readonly Draft[] = [
  said(
    'jonas',
    'Sunday rye is out of the oven. 70 % whole grain, three-stage sourdough, one child asleep on the flour sack. #bread',
    {
      pictures: [['bread', 'A dark loaf with three cuts on a plate.']],
      replies: [
        said('camille', 'Belle croûte ! Quelle hydratation ?', {
          lang: 'fr',
          replies: [said('jonas', '78 %. Next week 80, if Gaston’s cousin in my fridge agrees.')],
        }),
        said('mira', 'I can smell it from plot 14 and I am two kilometres away.'),
      ],
    },
  ),
  said(
    'camille',
    'Gaston, mon levain, a débordé cette nuit. La farine est partout, même dans le chat. Fournée de samedi : pain au seigle, brioche, et des excuses au chat. #pain',
    {
      lang: 'fr',
      pictures: [['bread', 'Une miche dorée sur une assiette.']],
      replies: [said('elodie', 'Le chat pardonne toujours après la brioche.', { lang: 'fr' })],
    },
  ),
  said(
    'leila',
    'عشاء الجمعة: مجدّرة وفتّوش ولبنة بالنعناع. ستة عشر كرسياً، وخمسة عشر اسماً على القائمة. الكرسي الأخير لمن يكتب أولاً. #طبخ',
    {
      lang: 'ar',
      replies: [
        said('nour', 'أنا! وأحضر معي الحلوى وقصيدة قصيرة.', { lang: 'ar' }),
        said('omar', 'تأخرتُ دقيقة واحدة، كعادتي.', {
          lang: 'ar',
          replies: [said('leila', 'للخطّاطين كرسي إضافي دائماً.', { lang: 'ar' })],
        }),
      ],
    },
  ),
  said(
    'leila',
    'Supper club menu for Friday, in English for those who asked: lentils with rice and very brown onions, a salad that crunches, labneh with mint. One chair left. #supperclub',
    { pictures: [['cup', 'A cup of tea on a round plate.']] },
  ),
  said(
    'priya',
    'Unpopular opinion: a dal should be able to hold a spoon upright. Discuss, but not with my mother.',
    {
      replies: [
        said('sam', 'Mine holds the ladle. Should I see someone?'),
        said('ruth', 'There are eleven books about this in the library and they do not agree.'),
      ],
    },
  ),
  said(
    'jonas',
    'Recipe for the rye, because four of you asked in person and one of you asked through the window.\n\n1. Feed the starter three times in a day.\n2. Mix, wait, mix, wait.\n3. Bake darker than you dare.\n4. Wait until tomorrow. (Nobody has ever managed this.)',
    {
      warning: 'Long recipe, contains rye',
      replies: [said('kit', 'I failed step four at the traffic lights.')],
    },
  ),
  said('paco', 'Tortilla: ¿con cebolla o sin cebolla? Pregunto por la paz del barrio. #cocina', {
    lang: 'es',
    poll: { options: ['Con cebolla', 'Sin cebolla', 'Me da igual (mentira)'], hours: 48 },
    day: 30,
    replies: [
      said('ines', 'Con cebolla, y quien diga lo contrario no dibuja conmigo.', { lang: 'es' }),
      said('rosa', 'Sin. Lo siento. No lo siento.', { lang: 'es' }),
    ],
  }),
  said('camille', 'Il reste quatre baguettes et un quart de flan. Premier arrivé, premier nourri. #pain', {
    lang: 'fr',
  }),
  said(
    'lars',
    'Canal soup, for 20: everything you have, then an hour. Add dill. If it looks like the canal, add more dill.',
    { pictures: [['pot', 'A round pot.']] },
  ),
  said('aisha', 'Night shift breakfast: toast, three boiled eggs, a mango, silence.', {
    pictures: [['cup', 'A cup of coffee.']],
  }),
  said('priya', 'Lime pickle, day 1 of 40. I shall report. #pickles', {
    key: 'pickle',
    day: 39,
    replies: [said('henry', 'I shall wait by the jar.')],
  }),
  said('priya', 'Lime pickle, day 20. It has started to look back at me. #pickles', {
    day: 19,
    quotes: 'pickle',
  }),
  said(
    'dana',
    'New mugs fresh from the kiln. Two have a small wobble; those go to people with a small wobble. Stall 31, Saturday.',
    {
      pictures: [
        ['cup', 'A mug on a striped cloth.'],
        ['pot', 'A pot with a zigzag pattern.'],
        ['tiles', 'Tiles in four colours.'],
      ],
      replies: [
        said('mira', 'One wobble for me please.'),
        said('tom', 'Two wobbles, for the server room. It matches the shelves.'),
      ],
    },
  ),
  said('elodie', 'Confiture de coings : trois heures, deux brûlures, onze pots. La relieuse sent le sucre.', {
    lang: 'fr',
    pictures: [['cup', 'Une tasse fumante.']],
  }),
  said(
    'sam',
    'Today on the breakfast show: what is the correct amount of butter? We had 60 calls and one threat.',
    {
      replies: [
        said('jonas', 'Visible from the side.'),
        said('camille', 'Il n’y a pas de bonne quantité, il n’y a que du bon beurre.', { lang: 'fr' }),
      ],
    },
  ),
  said(
    'beth',
    'Professor Biscuit the hamster has been weighed by year four in three units, one of them “grapes”. He is nine grapes. #school',
    { pictures: [['tiles', 'A pattern of coloured tiles.']] },
  ),
  said('omar', 'قهوة بالهيل، ورق جديد، والنافذة مفتوحة على المطر. هذا كل ما أحتاجه اليوم.', {
    lang: 'ar',
    pictures: [
      ['cup', 'فنجان قهوة يتصاعد منه البخار.'],
      ['quill', 'ريشة كتابة.'],
    ],
  }),
  said(
    'rosa',
    'We made jam from the quinces, soup from the pumpkins (not Euler) and a mess from both. #heronstreet',
    { quotes: 'euler' },
  ),
  said('nils', 'Pear wood spoon number 200. It stirs porridge clockwise only. I do not know why either.', {
    pictures: [['tiles', 'A pattern like inlaid wood.']],
  }),
  said(
    'jonas',
    'My younger one asked if bread is “just slow toast”. I have been thinking about it for three days.',
    {
      replies: [
        said('ada', 'Toast is bread with a second opinion.'),
        said('leila', 'Keep this child. We need them at the supper club.'),
      ],
    },
  ),
];
