import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import { formObjects, idParam } from '#kernel/input.ts';
import { isLonger } from '#mastodon/characters.ts';
import { MEDIA_LIMITS, type MediaMeta } from '#mastodon/media-limits.ts';

/** The texts of an upload or of a change to one; lengths only bound the work. */
export const mediaBody = z.object({
  description: z
    .string()
    .max(20_000)
    .nullish()
    .describe(
      `The alternative text, of at most ${MEDIA_LIMITS.description} characters; an empty one removes it.`,
    ),
  focus: z
    .string()
    .max(100)
    .nullish()
    .describe(
      'The focal point as `x,y`, each from -1 to 1, with 0,0 in the middle; ignored in any other form.',
    ),
});

/** The media in an edit of a status: https://docs.joinmastodon.org/methods/statuses/#edit */
export const mediaAttributes = formObjects(
  mediaBody.extend({ id: idParam.describe('The ID of an attachment that the status has.') }),
  100,
).describe('Changes to the texts of attachments that the status has.');

export type Focus = NonNullable<MediaMeta['focus']>;

/** The checked description of a file. Absent members stay; null removes. */
export interface MediaTexts {
  description?: string | null;
  focus?: Focus | null;
}

/** @throws RookeryError `invalid` */
export function checkTexts({ description, focus }: z.output<typeof mediaBody>): MediaTexts {
  return {
    ...(description === undefined ? {} : { description: checkDescription(description) }),
    ...focusOf(focus),
  };
}

function checkDescription(given: string | null): string | null {
  const description = given?.trim() ?? '';
  if (isLonger(description, MEDIA_LIMITS.description)) {
    throw invalid(
      `Validation failed: Description is too long (maximum is ${MEDIA_LIMITS.description} characters)`,
    );
  }
  return description === '' ? null : description;
}

/**
 * Reads `x,y`, each from -1 to 1. Ignores any other text: clients write numbers in the form of their user's
 * country, and a picture is worth more than its focal point.
 * https://docs.joinmastodon.org/api/guidelines/#focal-points
 */
function focusOf(given: string | null | undefined): Pick<MediaTexts, 'focus'> {
  if (given === undefined) return {};
  if (given === null || given.trim() === '') return { focus: null };
  const [, ...numbers] =
    /^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*,\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*$/.exec(given) ?? [];
  const [x = NaN, y = NaN] = numbers.map(Number);
  return Math.abs(x) <= 1 && Math.abs(y) <= 1 ? { focus: { x, y } } : {};
}
