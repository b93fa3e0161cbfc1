import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import type { MediaMeta } from '#mastodon/media-limits.ts';
import { type Programs, runProgram } from './ffmpeg.ts';
import { INPUT_OPTIONS } from './ffmpeg-options.ts';

/** The contents of a video, a sound or an animation. */
export interface Probed {
  /** The names of the container, separated by commas: `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  /** Seconds; unknown for recordings that were never finished. */
  duration: number | undefined;
  bitrate: number | undefined;
  video: VideoStream | undefined;
  audio: AudioStream | undefined;
  /** A picture accompanies the sound. */
  hasCover: boolean;
}

export interface VideoStream {
  codec: string;
  pixelFormat: string;
  /** After rotation. */
  width: number;
  height: number;
  /** A fraction: `30000/1001`. */
  frameRate: string;
  framesPerSecond: number;
  /** The packets in the file, whatever its header says about duration and rate. */
  frames: number;
}

export interface AudioStream {
  codec: string;
  profile: string | undefined;
  sampleRate: string | undefined;
  layout: string | undefined;
}

const number = z.coerce.number().optional().catch(undefined);
const text = z.string().max(200).optional().catch(undefined);
const report = z.object({
  format: z.object({ format_name: z.string(), duration: number, bit_rate: number }),
  streams: z.array(
    z.object({
      codec_type: text,
      codec_name: text,
      profile: text,
      pix_fmt: text,
      width: number,
      height: number,
      avg_frame_rate: text,
      r_frame_rate: text,
      nb_read_packets: number,
      sample_rate: text,
      channel_layout: text,
      disposition: z.object({ attached_pic: number }).optional().catch(undefined),
      side_data_list: z
        .array(z.object({ rotation: number }))
        .optional()
        .catch(undefined),
    }),
  ),
});
type Stream = z.infer<typeof report>['streams'][number];

/**
 * Inspects a file, whose frames are counted only when it is whole. @throws RookeryError `invalid` when it cannot be
 * parsed, or the signal's reason
 */
export async function probe(
  { ffprobe }: Programs,
  path: string,
  cwd: string,
  { isWhole = true, signal }: { isWhole?: boolean; signal?: AbortSignal } = {},
): Promise<Probed> {
  const args = [
    '-v',
    'error',
    ...INPUT_OPTIONS,
    '-of',
    'json',
    '-show_format',
    '-show_streams',
    ...(isWhole ? ['-count_packets'] : []),
    path,
  ];
  const ended = await runProgram(ffprobe, args, { cwd, seconds: 15, signal });
  const parsed = ended.code === 0 ? report.safeParse(JSON.parse(ended.output)) : undefined;
  if (!parsed?.success) throw notUnderstood();
  const { format, streams } = parsed.data;
  const isPicture = (stream: Stream): boolean => stream.disposition?.attached_pic === 1;
  const video = streams.find((stream) => stream.codec_type === 'video' && !isPicture(stream));
  const audio = streams.find((stream) => stream.codec_type === 'audio');
  return {
    container: format.format_name,
    duration: format.duration,
    bitrate: format.bit_rate,
    video: video && videoStream(video),
    audio: audio && {
      codec: audio.codec_name ?? 'unknown',
      profile: audio.profile,
      sampleRate: audio.sample_rate,
      layout: audio.channel_layout,
    },
    hasCover: streams.some((stream) => stream.codec_type === 'video' && isPicture(stream)),
  };
}

export const notUnderstood = () => invalid('File type of uploaded media could not be verified');

/** Returns metadata under Mastodon's names, without `small` and `focus`. */
export function metaOf({ video, audio, duration, bitrate }: Probed): MediaMeta {
  const original = {
    ...(video ? { width: video.width, height: video.height, frame_rate: video.frameRate } : {}),
    ...(duration === undefined ? {} : { duration }),
    ...(bitrate === undefined ? {} : { bitrate: Math.round(bitrate) }),
  };
  return {
    ...(duration === undefined
      ? {}
      : { length: lengthOf(duration), duration: Math.round(duration * 100) / 100 }),
    ...(video
      ? {
          fps: Math.floor(video.framesPerSecond),
          size: `${video.width}x${video.height}`,
          width: video.width,
          height: video.height,
          aspect: video.width / video.height,
        }
      : {}),
    ...(audio ? { audio_encode: audio.profile ? `${audio.codec} (${audio.profile})` : audio.codec } : {}),
    ...(audio?.sampleRate ? { audio_bitrate: `${audio.sampleRate} Hz` } : {}),
    ...(audio?.layout ? { audio_channels: audio.layout } : {}),
    original,
  };
}

function videoStream(stream: Stream): VideoStream {
  const { width = 0, height = 0, side_data_list: sideData = [] } = stream;
  if (width < 1 || height < 1) throw notUnderstood();
  const turns = sideData.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
  const lies = Math.abs(turns) % 180 === 90;
  const [frameRate = '0/1', framesPerSecond = 0] =
    [stream.avg_frame_rate, stream.r_frame_rate]
      .map((rate = '0/0') => [rate, fractionOf(rate)] as const)
      .find(([, value]) => value > 0) ?? [];
  return {
    codec: stream.codec_name ?? 'unknown',
    pixelFormat: stream.pix_fmt ?? 'unknown',
    ...(lies ? { width: height, height: width } : { width, height }),
    frameRate,
    framesPerSecond,
    frames: stream.nb_read_packets ?? 0,
  };
}

function fractionOf(rate: string): number {
  const [numerator = 0, denominator = 0] = rate.split('/').map(Number);
  return denominator > 0 ? numerator / denominator : 0;
}

/** Returns `1:02:03.45`. */
function lengthOf(duration: number): string {
  const hundredths = Math.round(duration * 100);
  const two = (value: number): string => String(value).padStart(2, '0');
  const seconds = Math.floor(hundredths / 100);
  const clock = `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${clock}.${two(hundredths % 100)}`;
}
