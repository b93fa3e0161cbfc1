/** The address of streams: https://docs.joinmastodon.org/methods/streaming/ */
export const STREAMING_PATH = '/api/v1/streaming';

/** The streams of the pages of the web client. */
export const PAGE_STREAMING_PATH = '/web/streaming';
