import type { ClientAddress } from './client-address.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

export const logForms = ['text', 'json'] as const;

export type LogForm = (typeof logForms)[number];

/** What a server is told when it starts. */
export type ServeOptions = {
  /** The folder of the site. */
  readonly dist: string;
  readonly host: string;
  readonly port: number;
  /** The public URL of the site. Null: problems are described at absolute paths. */
  readonly baseUrl: string | null;
  /** Zero: no limit. */
  readonly ratePerMinute: number;
  readonly clientAddress: ClientAddress;
  readonly maxConnections: number;
  /** Null: no metrics. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
  readonly log: LogForm;
};

export type Limits = typeof defaultLimits;

/** Limits of a server. Times are in milliseconds. docs/operating.md, Limits, says how clients see them. */
export const defaultLimits = {
  /** Bytes of a request line and its headers together. */
  maxHeaderSize: 16 * 1024,
  /**
   * From the opening of the connection, or from the first byte of a later request, to the end of the request's headers.
   */
  headersTimeout: 10_000,
  /** From a request's first byte to the end of its body. */
  requestTimeout: 30_000,
  /** Between two requests on a connection. */
  keepAliveTimeout: 60_000,
  /** How often the times of requests and headers are checked. They are exact to this much. */
  connectionsCheckingInterval: 2000,
  /** A connection without traffic for this long is closed, even in the middle of a request or an answer. */
  idleTimeout: 120_000,
  /** A client that takes no byte of an answer for this long loses its connection. */
  stallTimeout: 30_000,
  /** Connections that may be open at once. */
  maxConnections: 2048,
  /** Requests that a client may send ahead on a connection while an earlier one is answered. */
  maxWaitingRequests: 64,
};
