/** The address of streams: https://docs.joinmastodon.org/methods/streaming/ */
export const STREAMING_PATH = '/api/v1/streaming';
