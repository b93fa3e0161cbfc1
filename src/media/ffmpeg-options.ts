/**
 * Before every input: nothing but local files is opened, and only by readers of the types that are supported, so that no
 * playlist or script is followed.
 */
export const INPUT_OPTIONS = [
  ...['-protocol_whitelist', 'file'],
  ...['-format_whitelist', 'mov,matroska,ogg,wav,flac,mp3,aac,asf,gif'],
] as const;

/** For all: no questions, few words, little memory for threads. */
export const FFMPEG = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-threads', '2'] as const;

/** Where and when a video was taken is nobody's business. */
export const WITHOUT_METADATA = [
  ...['-map_metadata', '-1', '-map_metadata:s:v', '-1', '-map_metadata:s:a', '-1', '-map_chapters', '-1'],
  ...['-sn', '-dn'],
] as const;
