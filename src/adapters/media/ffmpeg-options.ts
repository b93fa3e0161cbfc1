/**
 * Before every input: opens only local files, and only with readers of supported types, so that no playlist
 * or script is followed.
 */
export const INPUT_OPTIONS = [
  ...['-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'mov,matroska,ogg,wav,flac,mp3,aac,asf,gif,apng'],
] as const;

/** Decoders, filters and encoders use one thread, which leaves a core for requests. */
export const ONE_THREAD = ['-threads', '1'] as const;
/** For all runs: no prompts, little output. */
export const FFMPEG = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
  ...['-filter_threads', '1', ...ONE_THREAD],
] as const;

/** Metadata can reveal where and when a video was taken. */
export const WITHOUT_METADATA = [
  ...['-map_metadata', '-1', '-map_metadata:s:v', '-1', '-map_metadata:s:a', '-1', '-map_chapters', '-1'],
  ...['-sn', '-dn'],
] as const;
