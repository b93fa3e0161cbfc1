import type { z } from 'zod';

/** The part of an endpoint that the document describes. */
export interface DescribedEndpoint {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** In the form of Express: `/api/v1/accounts/:id`. */
  path: string;
  summary: string;
  auth: 'public' | 'optional' | 'app' | 'user';
  scopes: readonly string[];
  params?: z.ZodObject | undefined;
  query?: z.ZodObject | undefined;
  body?: z.ZodObject | undefined;
  /** Fields of the body that the handler requires; of a list of names, one suffices. */
  requires?: readonly (string | readonly string[])[] | undefined;
  reply?: z.ZodType | undefined;
  /** The type of the reply; the default is JSON. */
  contentType?: string | undefined;
  errors?: readonly number[] | undefined;
  deprecated?: boolean | undefined;
  files?: { fields: Readonly<Record<string, { description: string; required?: true }>> } | undefined;
  /** The meanings of successful replies with another status than 200, by status. */
  replies?: Readonly<Record<number, string>> | undefined;
}
