/** The name of a parameter as Rails shows it in messages: `display_name` is "Display name", `in_reply_to_id` "In reply to". */
export function attributeLabel(name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
