import { z } from 'zod';
import { count, dateTime, id } from './shared.ts';

/** https://docs.joinmastodon.org/entities/Marker/ */
export const markerSchema = z
  .strictObject({ last_read_id: id, version: count, updated_at: dateTime })
  .meta({ id: 'Marker' });
export type Marker = z.infer<typeof markerSchema>;
