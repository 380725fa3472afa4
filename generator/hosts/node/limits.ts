/** What a server lets its clients take. Times in milliseconds; what a client sees is in docs/operating.md, Limits. */
export type Limits = {
  /** Bytes of a request line and its headers together. */
  readonly maxHeaderSize: number;
  /** From a connection's first moment, or from a request's first byte, to the end of the request's headers. */
  readonly headersTimeout: number;
  /** From a request's first byte to the end of its body. */
  readonly requestTimeout: number;
  /** Between two requests on a connection. */
  readonly keepAliveTimeout: number;
  /** How often the two times above are looked at: they are exact to this much. */
  readonly connectionsCheckingInterval: number;
  /** A connection on which nothing moves for so long is closed, whatever it is in the midst of. */
  readonly idleTimeout: number;
  /** Connections that may be open at once. */
  readonly maxConnections: number;
  /** Requests that a client may send ahead on a connection while an earlier one is answered. */
  readonly maxWaitingRequests: number;
};

export const defaultLimits: Limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 2000,
  idleTimeout: 120_000,
  maxConnections: 2048,
  maxWaitingRequests: 64,
};
