/**
 * Pixels of all frames of a picture that is encoded in another size. A million take 0.2 to 0.8 s, because each
 * frame gets new colours.
 */
const RESIZED = 3_000_000;
/** The same for a picture that keeps its size and its colours, and so costs at most half as much. */
const UNCHANGED = 6_000_000;
/** A picture is reduced to this part of its width and height before frames are dropped. */
const LEAST_SCALE = 1 / 4;

/** Each frame costs some 50 microseconds beside its pixels, and a file of 8 MB holds 350,000 of them. */
const MOST_FRAMES = 1_000;

/** The budget of attachments, which are shown larger than pictures of profiles. */
export const OF_ATTACHMENTS = { resized: 6_000_000, unchanged: 24_000_000 };

/** Returns how much smaller a moving picture becomes, and the frames it keeps, so that its encoding is bounded. */
export function withinBudget(
  {
    width,
    height,
    frames: given,
    isResized,
  }: { width: number; height: number; frames: number; isResized: boolean },
  { resized, unchanged } = { resized: RESIZED, unchanged: UNCHANGED },
): { scale: number; frames: number } {
  const pixels = width * height;
  const frames = Math.min(given, MOST_FRAMES);
  if (pixels * frames <= (isResized ? resized : unchanged)) return { scale: 1, frames };
  const scale = Math.min(1, Math.max(LEAST_SCALE, Math.sqrt(resized / (pixels * frames))));
  return { scale, frames: Math.max(1, Math.min(frames, Math.floor(resized / (pixels * scale ** 2)))) };
}

/** Returns the longer side and the frames of a picture that is fitted into a square, and never enlarged. */
export function framesInside(
  { width, height, pages = 1 }: { width: number; height: number; pages?: number | undefined },
  maxSide: number,
  budget?: typeof OF_ATTACHMENTS,
): { side: number; frames: number } {
  const longest = Math.max(width, height);
  const side = Math.min(maxSide, longest);
  const whole = side / longest;
  const size = { width: width * whole, height: height * whole, frames: pages, isResized: side < longest };
  const { scale, frames } = withinBudget(size, budget);
  return { side: Math.max(1, Math.round(side * scale)), frames };
}
