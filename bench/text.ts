/** A small generator of pseudo-random numbers (mulberry32): the same seed gives the same data on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pick = <T>(items: readonly T[], random: () => number): T =>
  items[Math.floor(random() * items.length)] as T;

/** One post of 30 to 400 characters; a third have hashtags, a tenth a link. `mention` is put in front. */
export function postText(random: () => number, mention?: string): string {
  const sentences = Array.from({ length: 1 + Math.floor(random() * 4) }, () => sentence(random));
  const text = sentences.join(random() < 0.15 ? '\n\n' : ' ');
  const link = random() < 0.1 ? ` https://example.org/articles/${Math.floor(random() * 1e6)}?from=feed` : '';
  const tags =
    random() < 0.33 ? ` #${pick(TAGS, random)}${random() < 0.3 ? ` #${pick(TAGS, random)}` : ''}` : '';
  return `${mention === undefined ? '' : `@${mention} `}${text}${link}${tags}`;
}

function sentence(random: () => number): string {
  const words = Array.from({ length: 5 + Math.floor(random() * 10) }, () => pick(WORDS, random));
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${pick(['.', '.', '.', '!', '?', ' 🎉'], random)}`;
}

const TAGS =
  'photography books gardening typescript caturday music cycling art film birds Fediverse coffee'.split(' ');
export const WORDS = (
  'the a this my our of and with in on for from about after before while today yesterday morning evening weekend ' +
  'train garden window library kitchen river forest city street market coffee bread soup apple music concert film ' +
  'photo camera letter book chapter story question answer release version server keyboard bicycle cat dog bird tree ' +
  'found made wrote read saw heard fixed built planted baked watched finished started learned missed enjoyed shared ' +
  'quiet bright slow quick strange old new green blue warm cold small large naïve café über friends neighbours people'
).split(' ');
