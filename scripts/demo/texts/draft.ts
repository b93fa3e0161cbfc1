/** A picture of a post: a scene of `pictures/scenes.ts`, and its description. */
export type Pictured = readonly [scene: string, description: string];

/** A post before it has a time. Replies mention the author of the post that they answer. */
export interface Draft {
  by: string;
  text: string;
  /** Names it for quotes and for the moderation history. */
  key?: string;
  /** English unless given. */
  lang?: 'de' | 'fr' | 'es' | 'ar';
  pictures?: readonly Pictured[];
  warning?: string;
  sensitive?: true;
  poll?: { options: readonly string[]; hours: number; multiple?: true };
  visibility?: 'unlisted' | 'private';
  replies?: readonly Draft[];
  /** The key of the quoted post. */
  quotes?: string;
  /** The text after an edit, some minutes later. */
  edited?: string;
  /** Days before the end of the six weeks; somewhere unless given. */
  day?: number;
  /** Minutes before the end, instead of a day. */
  minutes?: number;
  pinned?: true;
}

type More = Omit<Draft, 'by' | 'text'>;

/** A post, or a reply in a list of replies. */
export const said = (by: string, text: string, more: More = {}): Draft => ({ by, text, ...more });
