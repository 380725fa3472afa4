/** What of Cloudflare's runtime the worker uses, as far as it uses it: developers.cloudflare.com/workers/runtime-apis. */

/** An object of an R2 bucket. `size` and the tags are those of the whole, also where a part was asked for. */
export type BucketObject = {
  readonly size: number;
  /** The MD5 of an object that was put in one part, in hex; with quotes in the second. */
  readonly etag: string;
  readonly httpEtag: string;
};

export type BucketBody = BucketObject & {
  readonly body: ReadableStream<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
};

export interface ObjectBucket {
  /** Null where nothing stands. */
  head(key: string): Promise<BucketObject | null>;
  /** Null where nothing stands; an object without a body where the condition does not hold. */
  get(
    key: string,
    options?: {
      readonly range?: { readonly offset: number; readonly length: number };
      readonly onlyIf?: { readonly etagDoesNotMatch: string };
    },
  ): Promise<BucketBody | BucketObject | null>;
}

export interface RateLimit {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** Bindings, variables and secrets, as `templates/worker/wrangler.jsonc` names them. */
export type Environment = {
  readonly SITE: ObjectBucket;
  /** Left out: nobody is limited. */
  readonly RATE_LIMITER?: RateLimit;
  readonly CURSOR_SECRET?: string;
  readonly CURSOR_SECRET_PREVIOUS?: string;
  readonly BASE_URL?: string;
  /** `true`: a line a request. */
  readonly LOG_REQUESTS?: string;
};

export type EdgeRequest = Pick<Request, 'method' | 'url' | 'headers'> & {
  /** What the edge found out. It asks for `br, gzip` itself, and keeps here what the client asked for. */
  readonly cf?: { readonly clientAcceptEncoding?: string };
};
