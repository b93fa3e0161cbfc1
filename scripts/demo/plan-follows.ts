import { days } from './moments.ts';
import { randomFrom } from './random.ts';
import { PERSON, type Person } from './texts/people.ts';

export interface PlannedFollow {
  by: string;
  whom: string;
  /** Minutes before the end. */
  ago: number;
}

/** Those who ask the person at the end; the person does not follow them either. */
export const ASKING = ['kit', 'ben'] as const;
/** Those who follow the person in the last day. */
export const NEW_FOLLOWERS = ['elodie', 'vera'] as const;
/** The lists of the person, who follows their members. */
export const LISTS = [
  ['Birders', ['greta', 'yuki', 'felix', 'lars']],
  ['The plots', ['henry', 'rosa', 'priya', 'ada']],
  ['Bread and dinner', ['jonas', 'leila', 'camille']],
] as const;
const LATE: readonly string[] = [...ASKING, ...NEW_FOLLOWERS];

/** Most of them happen before the six weeks, so that home has something to show from the beginning. */
export function planFollows(seed: number, people: readonly Person[]): PlannedFollow[] {
  const random = randomFrom(seed, 'follows');
  const names = people.map(({ username }) => username);
  return people.flatMap(({ username: by, language }) => {
    const alike = people.filter((each) => each.language === language && language !== undefined);
    const many = by === PERSON ? 22 : by === 'bargains' ? 25 : by === 'roy' ? 4 : random.between(8, 19);
    const listed = by === PERSON ? LISTS.flatMap(([, members]) => members) : [];
    const liked = [...listed, ...alike.map((each) => each.username), PERSON, ...random.shuffled(names)];
    const chosen = [...new Set(liked)].filter((name) => mayFollow(by, name)).slice(0, many);
    return chosen.map((whom) => ({
      by,
      whom,
      ago: days(by === 'bargains' ? 37 : 43) + random.between(0, 1_300),
    }));
  });
}

function mayFollow(by: string, whom: string): boolean {
  if (by === whom || whom === 'bargains') return false;
  if (by === PERSON) return !LATE.includes(whom) && whom !== 'roy';
  return whom !== PERSON || !LATE.includes(by);
}
