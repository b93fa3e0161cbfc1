import { type Draft, said } from './draft.ts';

/** Bicycles, trains, the canal, and the street itself. */
export const STREET_POSTS: readonly Draft[] = [
  said(
    'paco',
    'Bike Kitchen tonight from six. We have four stands, one compressor, and a cake that somebody promised and now must deliver. #bikes',
    {
      pictures: [['bike', 'A bicycle wheel with twelve spokes.']],
      replies: [
        said('mira', 'It was me. Lemon. It is a little flat, like my back tyre.'),
        said('kit', 'Can you fix a zine rack to a rear carrier? Asking for a zine.', {
          replies: [said('paco', 'Yes. Bring the zine, the rack and forty minutes.')],
        }),
      ],
    },
  ),
  said(
    'mira',
    'Rode home against the wind with 20 kilos of compost. The bicycle is blue, the language was too. #bikes',
    { pictures: [['bike', 'A bicycle wheel.']] },
  ),
  said('paco', 'La cadena no se engrasa, se cuida. Dicho esto: por favor, engrasad la cadena. #bicis', {
    lang: 'es',
    pictures: [['bike', 'Una rueda de bicicleta.']],
  }),
  said(
    'felix',
    'Nebel zwischen Millbrook und Hafen, Sicht fünfzig Meter, alle Signale grün. Wie durch Milch fahren. #bahn',
    {
      lang: 'de',
      pictures: [
        ['train', 'Ein gelber Triebwagen von vorn.'],
        ['landscape', 'Hügel im Nebel.'],
      ],
      replies: [
        said('yuki', 'I was on that train. It was beautiful and I was late and I did not mind.'),
        said('lars', 'From the boat one hears you before one sees anything. Good sound.'),
      ],
    },
  ),
  said(
    'felix',
    'To the person who waved at the 6:14 from the allotments with a leek: I saw you. I rang the bell. It was the best part of the shift.',
    {
      key: 'leekwave',
      replies: [
        said('henry', 'That was me. It was a fine leek.', {
          replies: [said('felix', 'First prize from this side.')],
        }),
        said('ada', 'The committee takes note.'),
      ],
    },
  ),
  said(
    'aisha',
    'Ten kilometres along the canal: two herons, one hangover (not mine), zero records. #running',
    {
      pictures: [
        ['water', 'The canal with a boat.'],
        ['landscape', 'Hills at sunrise.'],
      ],
    },
  ),
  said(
    'ruth',
    'Lost property this month at the library: nine umbrellas, one trumpet mouthpiece, a very small shoe, and a shopping list that just says “courage, milk”.',
    {
      key: 'courage',
      replies: [
        said('nour', '“Courage, milk” is the best poem I have read this year.'),
        said('kit', 'May I print that?', {
          replies: [said('ruth', 'If the owner comes forward, they get royalties in milk.')],
        }),
        said('sam', 'Read it on air. Three people rang to say that it was theirs.'),
      ],
    },
  ),
  said(
    'ines',
    'Dibujando los tejados desde la parada del 9. El autobús pasó dos veces. Yo no tenía prisa. #dibujo',
    {
      lang: 'es',
      pictures: [
        ['street', 'Una hilera de casas de colores con ventanas encendidas.'],
        ['quill', 'Una pluma.'],
        ['street', 'Casas al anochecer.'],
      ],
      replies: [said('paco', 'Mi ventana es la que tiene la bici. Gracias por ponerla.', { lang: 'es' })],
    },
  ),
  said(
    'tom',
    'Planned maintenance tonight at 23:00 for about five minutes: new disk, old kettle. Your posts are safe, I test the backups every Friday, and yes, by really restoring them.',
    {
      replies: [
        said('ada', 'I can confirm. I watch.'),
        said('mira', 'This is the most reassuring message a server has ever sent me.'),
      ],
    },
  ),
  said(
    'lars',
    'Lock 7 is closed for repairs until the end of the month. I shall be moored at 22 whether I like it or not. I like it.',
    { pictures: [['water', 'A moored boat under a wide sky.']] },
  ),
  said(
    'beth',
    'Walk to school week: 28 of 30 children walked, one came by scooter, and one insists that he flew. We have put him down as “other”. #school',
  ),
  said('ruth', 'Should the library stay open late on Thursdays?', {
    poll: {
      options: [
        'Yes, until eight',
        'Yes, until ten, with tea',
        'Only if it is quiet',
        'It should never close',
      ],
      hours: 168,
    },
    day: 4,
    replies: [said('beth', 'Ten, with tea, and a corner for marking.')],
  }),
  said(
    'vera',
    'Choir concert! Saturday, 19:30, old tram depot. Forty voices, bad chairs, good songs. Free, bring a cushion. #choir',
    {
      key: 'poster',
      day: 23,
      pictures: [['street', 'A row of houses at night with lit windows.']],
      replies: [said('nils', 'I made better chairs for bay 4. You may have twelve.')],
    },
  ),
  said(
    'vera',
    'Choir concert! Saturday, 19:30, old tram depot. Forty voices, bad chairs, good songs. Free, bring a cushion. #choir #millbrook',
    { key: 'poster2', day: 23 },
  ),
  said(
    'vera',
    'Choir concert! Saturday, 19:30, old tram depot. Forty voices, bad chairs, good songs. Free, bring a cushion. #choir #heronstreet',
    { key: 'poster3', day: 23 },
  ),
  said(
    'ben',
    'Filmed the roof of the town hall from above. There is a whole garden of moss up there and one deckchair. Whose deckchair?',
    {
      pictures: [
        ['street', 'Roofs of a town from the side.'],
        ['tiles', 'Roof tiles in a pattern.'],
      ],
      replies: [said('sam', 'The parrot’s.')],
    },
  ),
  said(
    'ben',
    'Storm yesterday took four tiles off number 31. I have pictures of each roof in the street; write to me if you want to see yours. I was up there for the insurance people.',
    { key: 'drone', day: 26, pictures: [['street', 'Roofs after a storm.']] },
  ),
  said(
    'roy',
    'If you ride a bicycle on the towpath you deserve what you get. I have been saying it for years and one day somebody will end up in the water.',
    { key: 'rant1', day: 28 },
  ),
  said('roy', 'Some people on here should be glad that I do not know where they live. Cyclists first.', {
    key: 'rant2',
    day: 27,
  }),
  said(
    'bargains',
    'AMAZING OFFER! Designer watches 90% off, today only!!! Message me for the link!!! #heronstreet #birds #books',
    { key: 'spam1', day: 36 },
  ),
  said('bargains', 'Last chance!!! Watches, handbags, miracle tea. Message me NOW. #allotment #bikes', {
    key: 'spam2',
    day: 35,
  }),
  said(
    'aisha',
    'Somebody chalked hopscotch along the whole of Heron Street, 214 squares. I did all of them in my work shoes. #heronstreet',
    {
      pictures: [['street', 'A street with coloured houses.']],
      replies: [
        said('beth', 'I can neither confirm nor deny that it was a maths lesson.'),
        said('mira', '214 is not even a nice number. I love it.'),
      ],
    },
  ),
  said('felix', 'Frage an die Pendler: Was hört ihr morgens um sechs?', {
    lang: 'de',
    poll: { options: ['Musik', 'Canal FM', 'Podcasts', 'Das Rattern der Schienen'], hours: 96 },
    day: 33,
  }),
  said(
    'nils',
    'The tram depot roof no longer leaks. I know because I stood under it for two hours in the rain, happy as a dry man.',
  ),
  said(
    'paco',
    'Hoy ha venido una señora de 81 años a aprender a parchear. Ha tardado menos que yo. La contrato. #bicis',
    { lang: 'es', replies: [said('rosa', 'Es mi vecina. También arregla relojes.', { lang: 'es' })] },
  ),
  said(
    'yuki',
    'Closed shops of Millbrook, no. 12: Price & Daughter, buttons. The sign is still warm in the evening sun.',
    {
      pictures: [
        ['street', 'An old shop in a row of houses at sunset.'],
        ['camera', 'An old camera.'],
      ],
    },
  ),
  said(
    'mira',
    'Pumped up eleven tyres outside school. Ten said thank you, one said “why is it round”. Best question of the week.',
  ),
];
