import { invalid } from '#kernel/errors.ts';

const MAX_ADDRESS = 2_048;

/**
 * Returns the normal form of a relay's address. It must be on another server, and use https unless this
 * server does not.
 * @throws RookeryError `invalid`
 */
export function relayAddress(
  text: string,
  field: 'inbox_url' | 'actor_url',
  { origin }: { origin: string },
): string {
  const name = field === 'inbox_url' ? 'Inbox url' : 'Actor url';
  const refusal = (error: string, description: string) =>
    invalid(`Validation failed: ${name} ${description}`, { [field]: [{ error, description }] });
  if (text.trim() === '') throw refusal('ERR_BLANK', "can't be blank");
  const url = URL.parse(text.trim());
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && origin.startsWith('http:'));
  if (!url || !isSafe || url.host === new URL(origin).host || url.username !== '' || url.password !== '') {
    throw refusal('ERR_INVALID', 'is not a valid URL');
  }
  url.hash = '';
  if (url.href.length > MAX_ADDRESS) throw refusal('ERR_INVALID', 'is not a valid URL');
  return url.href;
}
