/** The address of a real EventStoreDB to use instead of a double, if there is one. */
export const serverAtHand = (): string | undefined => process.env['EVENTSTORE_URL'];
