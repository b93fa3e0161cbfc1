/** Between two tries to connect, in milliseconds. Apart from the client, whose package is loaded only where there is a Redis. */
export const LONGEST_PAUSE_MS = 5_000;
