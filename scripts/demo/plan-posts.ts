import { days } from './moments.ts';
import { PALETTE_NAMES, type PaletteName } from './pictures/palettes.ts';
import type { PictureOf } from './pictures/render.ts';
import { type Random, randomFrom } from './random.ts';
import { draftsOf } from './texts/all.ts';
import { type Draft, said } from './texts/draft.ts';
import { CONVERSATIONS } from './texts/lately.ts';
import { REMARKS } from './texts/remarks.ts';

/** A post of the plan. `ago` is in minutes before the end of the six weeks. */
export interface PlannedPost extends Omit<
  Draft,
  'key' | 'lang' | 'pictures' | 'visibility' | 'replies' | 'edited' | 'day' | 'minutes'
> {
  key: string;
  language: string;
  ago: number;
  visibility: 'public' | 'unlisted' | 'private' | 'direct';
  pictures: readonly (PictureOf & { description: string })[];
  /** The key of the answered post. */
  parent?: string;
  edit?: { text: string; ago: number };
}

const REMARK_COUNT = 80;
/** Posts without answers and favourites: those of the moderation history. */
export const isUnloved = ({ key }: Pick<PlannedPost, 'key'>): boolean =>
  /^(?:rant|spam|poster\d|pip-)/.test(key);

/** Returns all posts, the oldest first. */
export function planPosts(seed: number): PlannedPost[] {
  const random = randomFrom(seed, 'posts');
  const posts: PlannedPost[] = [];
  for (const draft of draftsOf(randomFrom(seed, 'series'))) {
    const ago = draft.minutes ?? days(draft.day ?? random.between(3, 40)) + random.between(0, 1_439);
    add(posts, draft, ago, random);
  }
  addRemarks(posts, randomFrom(seed, 'remarks'));
  addConversations(posts, random);
  return inOrder(posts).toSorted((a, b) => b.ago - a.ago);
}

/** Adds a post and those below it. */
function add(
  posts: PlannedPost[],
  draft: Draft,
  ago: number,
  random: Random,
  parent?: PlannedPost,
): PlannedPost {
  const {
    key,
    lang,
    pictures = [],
    replies = [],
    edited,
    visibility = 'public',
    day: _day,
    minutes: _minutes,
    ...rest
  } = draft;
  const post: PlannedPost = {
    ...rest,
    key: key ?? `${draft.by}-${posts.length}`,
    language: lang ?? 'en',
    ago,
    visibility,
    text: parent ? `@${parent.by} ${draft.text}` : draft.text,
    pictures: pictures.map(([scene, description]) => pictured(scene, description, random)),
    ...(parent ? { parent: parent.key } : {}),
    ...(edited === undefined ? {} : { edit: { text: edited, ago: ago - Math.min(45, ago / 2) } }),
  };
  posts.push(post);
  for (const reply of replies) add(posts, reply, reply.minutes ?? laterThan(ago, random), random, post);
  return post;
}

const laterThan = (ago: number, random: Random): number => Math.max(ago - random.between(4, 540), ago / 2);

function pictured(scene: string, description: string, random: Random): PictureOf & { description: string } {
  const palette = scene === 'night' ? random.pick(AT_NIGHT) : random.pick(BY_DAY);
  return {
    scene,
    description,
    palette,
    shape: random.pick(['wide', 'wide', 'wide', 'square', 'tall']),
    seed: random.between(1, 1e9),
  };
}

const AT_NIGHT = ['night', 'dusk'] as const satisfies PaletteName[];
const BY_DAY = PALETTE_NAMES.filter((name) => name !== 'night');

function addRemarks(posts: PlannedPost[], random: Random): void {
  const speakers = {
    en: 'mira jonas ada nils ruth sam priya henry yuki beth aisha lars dana kit rosa ben vera tom'.split(' '),
    de: ['greta', 'felix', 'jonas'],
    fr: ['camille', 'elodie', 'leila'],
    es: ['paco', 'ines', 'rosa'],
    ar: ['leila', 'omar', 'nour'],
  };
  const open = posts.filter(
    (post) => post.visibility === 'public' && post.parent === undefined && !isUnloved(post),
  );
  for (const post of random.some(open, REMARK_COUNT)) {
    const language = post.language as keyof typeof REMARKS;
    const by = random.pick(speakers[language].filter((name) => name !== post.by));
    const draft = said(by, random.pick(REMARKS[language]), language === 'en' ? {} : { lang: language });
    add(posts, draft, laterThan(post.ago, random), random, post);
  }
}

function addConversations(posts: PlannedPost[], random: Random): void {
  for (const { with: people, lines } of CONVERSATIONS) {
    let before: PlannedPost | undefined;
    for (const [by, text, ago] of lines) {
      const others = people.filter((name) => name !== by).map((name) => `@${name}`);
      const made = add(posts, said(by, `${others.join(' ')} ${text}`), ago, random);
      const direct: PlannedPost = {
        ...made,
        visibility: 'direct',
        ...(before ? { parent: before.key } : {}),
      };
      posts[posts.length - 1] = direct;
      before = direct;
    }
  }
}

/** Moves posts that would come before the post that they answer or quote. @throws Error for a quote of nothing */
function inOrder(posts: readonly PlannedPost[]): PlannedPost[] {
  const placed = new Map<string, PlannedPost>();
  const byKey = new Map(posts.map((post) => [post.key, post]));
  const place = (key: string): PlannedPost => {
    const known = placed.get(key);
    if (known) return known;
    const post = byKey.get(key);
    if (!post) throw new Error(`Nothing is called ${key}`);
    const before = [post.parent, post.quotes].flatMap((each) =>
      each === undefined ? [] : [place(each).ago],
    );
    const latest = Math.min(...before);
    const moved = post.ago < latest ? post : { ...post, ago: latest * 0.9 };
    placed.set(key, moved);
    return moved;
  };
  return posts.map(({ key }) => place(key));
}
