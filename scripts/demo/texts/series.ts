import type { Random } from '../random.ts';
import { type Draft, said } from './draft.ts';

/** Posts that come again and again, each with other words. */
export function seriesPosts(random: Random): Draft[] {
  return [...weather(random), ...onAir(random), ...nightLog(random), ...lunch(random), ...platform(random)];
}

/** Six weeks of readings, in the morning. */
const weather = (random: Random): Draft[] =>
  Array.from({ length: 42 }, (_, index) => {
    const day = 42 - index;
    const celsius = Math.round(11 - index * 0.2 + random.between(-3, 3));
    const sky = random.pick([
      'Clear',
      'Light cloud',
      'Low cloud',
      'Fog until ten',
      'Showers',
      'Steady rain',
      'Bright, with wind',
    ]);
    const wind = `wind ${random.pick(['west', 'south-west', 'north', 'east'])} ${random.between(4, 32)} km/h`;
    const rain = `rain ${(random.between(0, 60) / 10).toFixed(1)} mm`;
    return said(
      'weather',
      `Millbrook, 07:00. ${sky}, ${celsius} °C, ${wind}, ${rain}. ${random.pick(ADVICE)}`,
      { day, visibility: 'unlisted' },
    );
  });

const ADVICE = [
  'Year four says: take a scarf.',
  'Year four says: good day for puddles.',
  'Year four says: look up.',
  'Year four says: the hamster approves.',
  'Year four says: no kites today.',
  'Year four says: kites today.',
  'Year four says: bring two socks.',
] as const;

const onAir = (random: Random): Draft[] => {
  const themes = random.some(
    [
      'songs with a bicycle in them',
      'the best two minutes of 1968',
      'records that jump',
      'songs about bread',
      'brass bands, politely',
      'music for trains',
      'B sides only',
      'songs that our listeners hum wrongly',
      'all the rain we have',
      'birds in music, from cuckoo to flute',
    ],
    9,
  );
  return themes.map((theme, index) =>
    said(
      'sam',
      `On Canal FM tomorrow from seven: ${theme}. ${random.pick(['Requests until midnight.', 'Bring toast.', 'Herbert the cat will produce.', 'I apologise in advance.'])} #radio`,
      { day: 40 - index * 4 },
    ),
  );
};

const nightLog = (random: Random): Draft[] =>
  Array.from({ length: 8 }, (_, index) =>
    said(
      'aisha',
      `Night ${random.between(2, 5)} of ${random.between(5, 7)}: ${random.pick(['quiet, touch wood', 'three new people, all kind', 'the lift sang again', 'somebody proposed in bed 9, she said yes', 'tea at four, sunrise at seven'])}. Then ${random.pick(['six', 'eight', 'ten', 'four slow'])} kilometres and ${random.pick(['toast', 'a mango', 'bed', 'the long way home'])}. #running`,
      { day: 39 - index * 5 },
    ),
  );

const lunch = (random: Random): Draft[] =>
  Array.from({ length: 8 }, (_, index) =>
    said(
      'camille',
      `Fournée du jour : ${random.some(['pain au seigle', 'fougasse aux olives', 'brioche', 'baguettes', 'pain aux noix', 'tarte aux quetsches', 'flan', 'petits pains au lait'], 3).join(', ')}. ${random.pick(['Ouvert jusqu’à midi.', 'Gaston va bien.', 'Le four est encore chaud.', 'Le chat aussi.'])} #pain`,
      {
        day: 41 - index * 5,
        lang: 'fr',
        ...(index % 2 ? { pictures: [['bread', 'Une miche dorée sur une assiette.'] as const] } : {}),
      },
    ),
  );

const platform = (random: Random): Draft[] =>
  Array.from({ length: 7 }, (_, index) =>
    said(
      'felix',
      `${random.pick(['5:48', '6:14', '6:44', '7:14'])} Uhr, Gleis ${random.between(1, 4)}: ${random.pick(['pünktlich', 'zwei Minuten plus', 'pünktlich, trotz Kuh', 'eine Minute vor Plan, gewartet'])}. ${random.pick(['Mond über dem Stellwerk.', 'Raureif auf den Schwellen.', 'Ein Fuchs auf dem Bahnsteig, ohne Fahrschein.', 'Der erste Kaffee schmeckt nach Thermoskanne.'])} #bahn`,
      {
        day: 38 - index * 5,
        lang: 'de',
        ...(index % 3 === 0 ? { pictures: [['train', 'Ein Triebwagen von vorn.'] as const] } : {}),
      },
    ),
  );
