import type { z } from 'zod';
import type { Permission } from '#mastodon/permissions.ts';
import type { AppContext, RequestContext, UserContext } from './context.ts';
import type { JsonPieces } from './json-pieces.ts';
import type { Db } from './read.ts';

/**
 * The callers of an endpoint: everyone, without a look at tokens (`public`); everyone, but known by a token
 * when one is sent (`optional`); any valid token (`app`); or the token of a confirmed, approved and active
 * user (`user`).
 */
export type Auth = 'public' | 'optional' | 'app' | 'user';

/** The families of rate limits; their figures are in `src/interfaces/http/rate-limits.ts`. */
export type RateLimit =
  | 'default'
  | 'apps'
  | 'sign_up'
  | 'media'
  | 'statuses'
  | 'deletes'
  | 'follows'
  | 'reports'
  | 'sign_in'
  | 'sign_in_account'
  | 'sign_in_known'
  | 'own_password'
  | 'second_step'
  | 'password_reset'
  | 'confirmations'
  | 'remote_media'
  | 'log_tiles'
  | 'none';

/** A file that came with a request, on the local disk until the reply. Name and type are what the client claims. */
export interface UploadedFile {
  path: string;
  filename: string;
  mimeType: string;
  /** Bytes. */
  size: number;
}

/**
 * The reply that `src/interfaces/http` sends. `text` is JSON already, perhaps in pieces, so hot paths do not
 * parse and print it again.
 */
export type Reply =
  | { json: unknown; status?: number; page?: PageLinks; headers?: Record<string, string> }
  | {
      text: string | JsonPieces;
      status?: number;
      page?: PageLinks;
      headers?: Record<string, string>;
      /** Follow the text, until the iteration ends or the client disconnects, which aborts the context's signal. */
      events?: ServerEvents;
    };

/** A long text, which is sent while it is made. */
export interface LongReply {
  pieces: AsyncIterable<string>;
  page?: never;
  headers?: Record<string, string>;
}

/** Server-sent events. */
export type ServerEvents = AsyncIterable<{ event: string; data: unknown }>;

/** The parameters of the `Link` header (`max_id`, `offset`), by relation; absent ones give no link. */
export interface PageLinks {
  next?: Readonly<Record<string, string>>;
  prev?: Readonly<Record<string, string>>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parameters of a path, by the names in it: `{ id: string }` for `/api/v1/lists/:id`. */
export type PathParams<Path extends string> = Path extends unknown
  ? string extends Path
    ? Readonly<Record<string, string>>
    : [NamesIn<Path>] extends [never]
      ? Readonly<Record<string, never>>
      : { readonly [Name in NamesIn<Path>]: string }
  : never;
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<More>
    : Rest
  : never;

type ContextOf<A extends Auth> = A extends 'user'
  ? UserContext
  : A extends 'app'
    ? AppContext
    : RequestContext;
type FieldOf<Schema> = Schema extends z.ZodObject ? keyof Schema['shape'] & string : never;
type InputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

/** An endpoint as a value. Everything but the handler is declaration, enforced once in `src/interfaces/http/mount.ts`. */
export interface EndpointDefinition<
  A extends Auth,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Entity extends z.ZodType = z.ZodType,
  InPieces extends true | undefined = true | undefined,
  M extends Method = Method,
  Path extends string = string,
> {
  method: M;
  /** With its parameters by name: `/api/v1/statuses/:id`. */
  path: Path;
  summary: string;
  auth: A;
  /** Any one of them suffices; a broader scope includes the narrower ones. Empty: no scope is required. */
  scopes: readonly string[];
  /** Open in limited federation mode, too. */
  openInLimitedMode?: boolean;
  /** The permission that the user's role must have, besides the scope; for `auth: 'user'`. */
  permission?: Permission;
  /**
   * Tells whether a viewer (null: a stranger) may see the subject that `id` in the path names. A refused caller who may not see it
   * gets 404: Mastodon looks for the subject before it looks at the token.
   */
  subjectShown?: (db: Db, viewerId: string | null, id: string) => Promise<boolean>;
  params?: Params;
  query?: Query;
  body?: Body;
  /**
   * Fields that the handler requires although the validator accepts a body without them, because Mastodon
   * words their absence differently. One name of a list is enough.
   */
  requires?: readonly (FieldOf<Body> | readonly FieldOf<Body>[])[];
  /** The largest file accepted, in bytes, and how many. Without it a request that carries a file is refused. */
  files?: {
    maxBytes: number;
    maxCount: number;
    /** The fields that carry files. */
    fields: Readonly<Record<string, { description: string; required?: true }>>;
  };
  /** The meaning of successful replies other than 200, by status. */
  replies?: Readonly<Record<number, string>>;
  /** Error statuses that do not follow from the rest of the declaration. */
  errors?: readonly number[];
  /** The body contains texts of users and may have 1 MB, as with files; otherwise 100 kB. */
  longTexts?: boolean;
  limit?: RateLimit;
  /**
   * Tells whether a request counts against `limit`; without it, every request does. Others, and refused
   * requests, count against `default` alone.
   */
  countsWhen?: (
    ctx: ContextOf<A>,
    input: { params: InputOf<Params>; body: InputOf<Body> },
  ) => Promise<boolean>;
  /** It changes nothing, although its method is not GET, so a repeat needs no care. */
  onlyReads?: boolean;
  /** An `Idempotency-Key` alone identifies the command: with another body it is still the first command. */
  idempotentByKey?: boolean;
  /** The log records that the caller read this, before the reply. A name is what was read, if not the audit log. */
  recorded?: boolean | 'event_log';
  /** The handler needs the token in clear text. */
  bearer?: boolean;
  /**
   * The groups of read models that the handler reads; `[MAIN]` unless given. Its reads wait until these hold what the caller wrote
   * before, and the reply to a write waits as well. An empty list says in a comment why nothing is read.
   */
  reads?: readonly string[];
  /** The groups that the reply to a write does not wait for: it needs nothing from them, and their next readers wait instead. */
  defers?: readonly string[];
  /** Users whose e-mail address is not confirmed may call. */
  allowUnconfirmed?: boolean;
  /** The content type of a reply that is not JSON. */
  contentType?: string;
  reply: Entity;
  /** The reply is a long text, which is sent while it is made. */
  inPieces?: InPieces;
  deprecated?: boolean;
  /** The day on which Mastodon deprecated it, such as `2022-11-14`, for a header (RFC 9745). */
  deprecatedOn?: string;
  handler: (
    ctx: ContextOf<A>,
    input: {
      params: InputOf<Params>;
      query: InputOf<Query>;
      body: InputOf<Body>;
      files: Record<string, UploadedFile | undefined>;
    },
  ) => Promise<InPieces extends true ? LongReply : Reply>;
}

export type Endpoint = EndpointDefinition<
  Auth,
  z.ZodObject | undefined,
  z.ZodObject | undefined,
  z.ZodObject | undefined
>;

/** The input of an endpoint, as a caller gives it, and the entity of its reply. */
export interface Contract<
  Path extends string,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Entity extends z.ZodType,
  InPieces extends true | undefined,
> {
  params: Params extends z.ZodObject ? PathParams<Path> & GivenTo<Params> : PathParams<Path>;
  query: GivenTo<Query>;
  body: GivenTo<Body>;
  reply: InPieces extends true ? AsyncIterable<string> : z.output<Entity>;
}

/** The fields that a schema takes. */
type GivenTo<Schema> = Schema extends z.ZodObject
  ? Readonly<z.input<Schema>>
  : Readonly<Record<string, never>>;

/** An endpoint whose method, path and contract the compiler knows. */
export interface DeclaredEndpoint<
  M extends Method,
  Path extends string,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Body extends z.ZodObject | undefined,
  Entity extends z.ZodType,
  InPieces extends true | undefined,
> extends Endpoint {
  path: Path;
  method: M;
  /** A type alone: the value has no such member. */
  readonly contract?: Contract<Path, Params, Query, Body, Entity, InPieces>;
}

/** The contract of any endpoint. */
export type AnyContract = Record<'params' | 'query' | 'body' | 'reply', unknown>;

/** An endpoint with such a contract. */
export interface Contracted<C extends AnyContract> {
  readonly contract?: C;
}

/** The contract of an endpoint, by its type. */
export type ContractOf<E extends Contracted<AnyContract>> = NonNullable<E['contract']>;

/** Declares an endpoint; infers the handler's types, and keeps its contract. */
export function endpoint<
  A extends Auth,
  M extends Method,
  const Path extends string,
  Entity extends z.ZodType,
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
  InPieces extends true | undefined = undefined,
>(
  definition: EndpointDefinition<A, Params, Query, Body, Entity, InPieces, M, Path>,
): DeclaredEndpoint<M, Path, Params, Query, Body, Entity, InPieces>;
export function endpoint(definition: Endpoint): Endpoint {
  return definition;
}
