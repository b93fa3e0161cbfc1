import { z } from 'zod';
import { isId } from './ids.ts';

/** A path parameter that is an id. Anything else names nothing: not found. */
export const idParam = z.string().refine(isId);
export const idParams = z.object({ id: idParam });

/** `id[]`: a list of ids; what cannot be one is left out, since it names nothing. */
export const idList = (max: number) =>
  z
    .union([z.array(z.string().max(40)), z.string().max(40).transform((one) => [one])])
    .default([])
    .transform((ids) => [...new Set(ids.filter(isId))].slice(0, max));
