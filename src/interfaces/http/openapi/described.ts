import type { z } from 'zod';

/** The part of an endpoint value that the document shows. */
export interface DescribedEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Express form: `/api/v1/accounts/:id`. */
  path: string;
  summary: string;
  auth: 'public' | 'optional' | 'app' | 'user';
  scopes: readonly string[];
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  body?: z.ZodObject | undefined;
  /** Fields of the body that the handler demands; of a list of names, one suffices. */
  requires?: readonly (string | readonly string[])[] | undefined;
  reply?: z.ZodType | undefined;
  /** The type of the reply; JSON unless given. */
  contentType?: string | undefined;
  errors?: readonly number[] | undefined;
  deprecated?: boolean | undefined;
  files?: { fields: Readonly<Record<string, { description: string; required?: true }>> } | undefined;
  /** The meanings of successful replies with another status than 200, by status. */
  replies?: Readonly<Record<number, string>> | undefined;
}
