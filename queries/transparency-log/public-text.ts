/** The content type of checkpoints and keys. */
export const PLAIN_TEXT = 'text/plain; charset=utf-8';
