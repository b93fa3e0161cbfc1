/**
 * Before every input: nothing but local files is opened, and only by readers of the types that are supported, so that no
 * playlist or script is followed.
 */
export const INPUT_OPTIONS = [
  ...['-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'mov,matroska,ogg,wav,flac,mp3,aac,asf,gif'],
] as const;

/** Decoders, filters and encoders: one thread, so that a core is left for requests. */
export const ONE_THREAD = ['-threads', '1'] as const;
/** For all: no questions, few words. */
export const FFMPEG = [
  ...['-nostdin', '-hide_banner', '-loglevel', 'error', '-y'],
  ...['-filter_threads', '1', ...ONE_THREAD],
] as const;

/** Metadata can say where and when a video was taken. */
export const WITHOUT_METADATA = [
  ...['-map_metadata', '-1', '-map_metadata:s:v', '-1', '-map_metadata:s:a', '-1', '-map_chapters', '-1'],
  ...['-sn', '-dn'],
] as const;
