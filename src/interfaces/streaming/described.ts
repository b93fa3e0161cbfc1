import { z } from 'zod';
import { formBoolean, formStringArray } from '#kernel/input.ts';
import type { DescribedEndpoint } from '../http/openapi/index.ts';
import { channels } from './channels.ts';
import { STREAMING_PATH } from './paths.ts';

const NAMES = Object.keys(channels);
const tags = (description: string) =>
  formStringArray(100, 500, { alone: true }).optional().describe(description);
const tag = z.string().max(500).describe('The hashtag, without its number sign.');
const list = z.string().max(40).describe('The id of a list of the user.');

const additional = {
  any: tags('Further hashtags of which a post may carry any.'),
  all: tags('Further hashtags that a post must carry.'),
  none: tags('Hashtags that a post must not carry.'),
};
const token = z.string().max(512).optional().describe('The access token, where no header can carry it.');

/**
 * The streaming paths for the OpenAPI document. They are no endpoints, so no endpoint value declares them.
 */
export const streamingEndpoints: readonly DescribedEndpoint[] = [
  {
    method: 'GET',
    path: STREAMING_PATH,
    summary: 'Open a WebSocket that carries any number of streams',
    auth: 'user',
    scopes: ['read:statuses', 'read:notifications'],
    query: z.object({
      access_token: token,
      stream: z.enum(NAMES).optional().describe('The first stream to subscribe to.'),
      tag: tag.optional(),
      list: list.optional(),
      ...additional,
    }),
    replies: { 101: 'The connection becomes a WebSocket' },
    errors: [400],
  },
  {
    method: 'GET',
    path: `${STREAMING_PATH}/health`,
    summary: 'Say that streaming works',
    auth: 'public',
    scopes: [],
    reply: z.literal('OK'),
    contentType: 'text/plain',
  },
  ...Object.entries(channels).flatMap(([name, { path, scope, of }]): DescribedEndpoint[] =>
    path === undefined
      ? []
      : [
          {
            method: 'GET',
            path: `${STREAMING_PATH}${path}`,
            summary: `Server-sent events of the stream ${name}`,
            auth: 'user',
            scopes: [scope],
            query: z.object({
              access_token: token,
              ...(`${name}:media` in channels
                ? { only_media: formBoolean.optional().describe('Whether only posts with media are sent.') }
                : {}),
              ...(of === 'tag' ? { tag, ...additional } : {}),
              ...(of === 'list' ? { list } : {}),
            }),
            reply: z.string(),
            contentType: 'text/event-stream',
          },
        ],
  ),
];
