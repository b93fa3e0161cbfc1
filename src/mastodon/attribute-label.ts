/** Those that Mastodon names in its own words. */
const NAMED: Readonly<Record<string, string>> = { email: 'E-mail address', agreement: 'Service agreement' };

/** The name of a parameter as Rails shows it in messages: `display_name` is "Display name", `in_reply_to_id` "In reply to". */
export function attributeLabel(name: string): string {
  const named = NAMED[name];
  if (named !== undefined) return named;
  const words = name.replace(/_id$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
