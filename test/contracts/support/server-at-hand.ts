/** The address of a real EventStoreDB to use instead of a double, if there is one. An empty one counts as none, as in the settings. */
export const serverAtHand = (): string | undefined => {
  const url = process.env['EVENTSTORE_URL']?.trim();
  return url === '' ? undefined : url;
};
