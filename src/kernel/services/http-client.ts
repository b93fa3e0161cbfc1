/** Requests to other people's servers; only hosts of the Internet are reached, and those the operator allows. */
export interface HttpClient {
  /**
   * Any status is a response. Redirects are followed for GET and HEAD.
   * @throws FetchError (`src/adapters/outbound-http/errors.ts`): an Error with a `code` of `FetchFailure`
   */
  fetch(url: string, request?: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  method?: 'GET' | 'HEAD' | 'POST';
  /** The same for each step, or made for each: a signature covers host and path. */
  headers?:
    | Readonly<Record<string, string>>
    | ((url: URL) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  body?: string | Buffer;
  /** Milliseconds for the whole exchange, redirects and body included; 10,000 unless given. */
  deadline?: number;
  /** The maximum of the decompressed body; 1 MiB unless given. */
  maxBytes?: number;
  /** A file that takes the body of a 200 reply, which is then empty here. `truncate` does not apply. */
  into?: string;
  /** Keep what fits of a larger body instead of failing. */
  truncate?: boolean;
  /** Only the status and the headers matter: the response has no body, and nothing waits for it. */
  withoutBody?: boolean;
  /** 5 unless given. */
  maxRedirects?: number;
  /** Asked with the `Content-Type` of a 2xx reply, before its body is read. */
  accepts?: (contentType: string) => boolean;
  signal?: AbortSignal;
}

export interface HttpResponse {
  /** Where it came from in the end. */
  url: string;
  status: number;
  /** Names in lower case; cookies left out. */
  headers: Record<string, string>;
  body: Buffer;
}

export type FetchFailure =
  | 'bad_url'
  | 'forbidden_address'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'unexpected_type'
  | 'cancelled';
