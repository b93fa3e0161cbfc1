import { isId } from '#kernel/ids.ts';

/** Paths below accounts that end otherwise are tabs of profiles: `/@alice/tagged/edit` is about a hashtag. */
export const namesPost = ({ id = '' }: Readonly<Record<string, string>>): boolean => isId(id);
