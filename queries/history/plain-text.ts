/** What checkpoints and keys are. */
export const PLAIN_TEXT = 'text/plain; charset=utf-8';
