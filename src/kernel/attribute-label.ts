/** Parameters with labels of their own in Mastodon. */
const NAMED: Readonly<Record<string, string>> = { email: 'E-mail address', agreement: 'Service agreement' };

/**
 * Returns the label of a parameter in Rails' messages: `display_name` is "Display name", `in_reply_to_id` "In
 * reply to".
 */
export function attributeLabel(name: string): string {
  const named = NAMED[name];
  if (named !== undefined) return named;
  const words = name.replace(/_id$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
