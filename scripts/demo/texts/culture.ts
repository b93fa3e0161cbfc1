import { type Draft, said } from './draft.ts';

/** Books, radio, pots, zines and poems. */
export const CULTURE_POSTS: readonly Draft[] = [
  said(
    'ruth',
    'New on the shelf this week: a history of lighthouses, a novel that is all footnotes, and the good atlas that somebody “borrowed” in 2009. Welcome home, atlas. #books',
    {
      pictures: [['books', 'A stack of four books.']],
      replies: [
        said('kit', 'The footnote novel is mine to borrow first, I saw the cover.'),
        said('elodie', 'L’atlas a besoin d’un nouveau dos. Je le soigne, gratuitement.', {
          lang: 'fr',
          replies: [said('ruth', 'You are a public service.')],
        }),
      ],
    },
  ),
  said(
    'mira',
    'Reading a book about tides on the sofa under a cat. I cannot move for one chapter or until high water. #books',
    { pictures: [['books', 'Books in a stack.']] },
  ),
  said(
    'elodie',
    'Aujourd’hui j’ai recousu un livre de cuisine de 1923. Page 41 : « beurre, beaucoup ». Les taches confirment. #reliure',
    {
      lang: 'fr',
      pictures: [
        ['books', 'Une pile de livres anciens.'],
        ['tiles', 'Un papier marbré.'],
      ],
      replies: [said('camille', 'Je veux la page 41 encadrée au fournil.', { lang: 'fr' })],
    },
  ),
  said('nour', 'على هامش الدفتر:\nكلما أطفأتُ مصباحاً\nأضاءت نافذةٌ في الجهة الأخرى من الشارع. #شعر', {
    lang: 'ar',
    key: 'poem',
    replies: [
      said('omar', 'سأخطّها بالنستعليق هذا المساء إن أذنتِ.', {
        lang: 'ar',
        replies: [said('nour', 'بكل سرور. أرسل صورة قبل أن يجفّ الحبر.', { lang: 'ar' })],
      }),
      said('leila', 'وأنا صاحبة النافذة المضيئة، أطبخ حتى منتصف الليل.', { lang: 'ar' }),
    ],
  }),
  said('omar', 'كتبتُ بيت نور على ورق قديم. الحبر من السخام والعسل، والوقت من الليل.', {
    lang: 'ar',
    quotes: 'poem',
    pictures: [
      ['quill', 'ريشة فوق خط من الحبر.'],
      ['night', 'هلال فوق تلال مظلمة.'],
    ],
  }),
  said(
    'sam',
    'Tomorrow on Canal FM: two hours of songs about rain, by request of the weather. 7 o’clock, 104.2. #radio',
    {
      pictures: [['radio', 'A radio mast with waves.']],
      replies: [
        said('weather', 'Rain is expected until Thursday. Please plan for four hours.'),
        said('aisha', 'Play the one with the long saxophone, I will be driving home.'),
      ],
    },
  ),
  said(
    'tom',
    'Worked a station in Tasmania last night with five watts and a wire over the garden. We talked about tomatoes for forty seconds. I am still smiling. #radio',
    {
      pictures: [
        ['radio', 'A radio mast against a disc of light.'],
        ['night', 'Stars over hills.'],
      ],
      replies: [
        said('henry', 'What did they say about the tomatoes?', {
          replies: [said('tom', 'That theirs are better. It is the wrong season to argue.')],
        }),
        said('beth', 'Year four wants to talk to Tasmania. May they?'),
      ],
    },
  ),
  said(
    'kit',
    'Slow Puncture no. 9 is out: sixteen pages, one staple, an interview with the coot. Free at the library, the Bike Kitchen and wherever I drop it. #zines',
    {
      pictures: [
        ['tiles', 'A cover with a pattern of tiles.'],
        ['bike', 'A bicycle wheel.'],
      ],
      replies: [said('lars', 'She gave you an interview and me not even a nod.')],
    },
  ),
  said('ruth', 'Book club votes: what do we read in January?', {
    poll: {
      options: ['The footnote novel', 'Something short', 'Something with a boat', 'Poems'],
      hours: 240,
    },
    day: 6,
    replies: [
      said('lars', 'I feel represented by option three.'),
      said('nour', 'Poems, and then everything else afterwards.'),
    ],
  }),
  said(
    'dana',
    'Kiln opened: 31 bowls, 2 survivors of my experiment with beach sand, 1 thing that we shall call a lamp. #pottery',
    {
      pictures: [
        ['pot', 'A pot on a tiled ground.'],
        ['pot', 'Another pot with a zigzag band.'],
      ],
    },
  ),
  said(
    'ines',
    'Una página al día. Hoy: la gente que espera el 9, que llega tarde, que nadie lamenta. #dibujo',
    { lang: 'es', pictures: [['quill', 'Una pluma que dibuja.']] },
  ),
  said(
    'vera',
    'Rehearsal went until the caretaker switched off the light. We sang the last verse in the dark and it was the best one. #choir',
  ),
  said(
    'sam',
    'Lost cat of the week: Herbert, grey, answers to “tuna”. Last heard on air, walking over the mixing desk. #radio',
    {
      edited: 'FOUND: Herbert, grey, was in the record cabinet under H. Thank you all. #radio',
      replies: [said('priya', 'He files himself. Impressive.')],
    },
  ),
  said(
    'yuki',
    'Developed a roll from March. Half of it is snow, half is my thumb. The thumb is well exposed.',
    {
      pictures: [
        ['camera', 'A camera on a pale ground.'],
        ['landscape', 'Snowy hills.'],
      ],
    },
  ),
  said(
    'elodie',
    'Atelier ouvert mercredi : on marbre du papier, on se tache les doigts, on repart content. #reliure',
    { lang: 'fr', pictures: [['tiles', 'Papier marbré en couleurs vives.']] },
  ),
  said(
    'ruth',
    'A child asked today for “a sad book with a happy dog”. We found four. We both needed to sit down. #books',
    { replies: [said('mira', 'Which four? For a friend. The friend is me.')] },
  ),
  said('kit', 'The library’s photocopier has been named Beatrice and we are now on good terms. #zines'),
  said('nour', 'قراءة الخميس في المكتبة: ثلاث قصائد، إبريق شاي، وصمتٌ جميل بعد الأخيرة.', {
    lang: 'ar',
    pictures: [['books', 'كتب فوق بعضها.']],
  }),
  said(
    'greta',
    'Vortrag am Freitag in der Bücherei: „Was fliegt denn da am Mühlbach?“ Mit Stimmen vom Band und welchen von mir. #vögel',
    { lang: 'de', replies: [said('ruth', 'Chairs for forty. Bring your best owl.')] },
  ),
  said('ada', 'Finished the detective novel. The murderer was bad at sums, I knew on page 60. #books', {
    warning: 'Mentions the end of a detective novel',
    replies: [said('ruth', 'Thank you for the warning. I am on page 58.')],
  }),
  said(
    'jonas',
    'Took down the stage after the school play: four trees, one castle, eleven swords, and a hamster in the castle. He is fine. He was the king.',
    { replies: [said('beth', 'Professor Biscuit gave the performance of his life.')] },
  ),
  said('dana', 'Somebody bought the lamp thing. I asked what for. “For the dark,” she said. Fair. #pottery'),
];
