import type { ClientAddress } from './client-address.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

export const logForms = ['text', 'json'] as const;

export type LogForm = (typeof logForms)[number];

/** The options of a server. */
export type ServeOptions = {
  /** The folder of the site. */
  readonly dist: string;
  readonly host: string;
  readonly port: number;
  /** The public URL of the site. Null: problems have absolute paths in place of URLs. */
  readonly baseUrl: string | null;
  /** The points that a client has each minute; zero for no limit. */
  readonly ratePerMinute: number;
  readonly clientAddress: ClientAddress;
  readonly maxConnections: number;
  /** The port for metrics; null for none. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
  readonly log: LogForm;
  /** Whether each request has a line in the log. Those that the server failed to answer have one anyway. */
  readonly logRequests: boolean;
};

export type Limits = typeof defaultLimits;

/** A server's limits. Times are in milliseconds. docs/operating.md, Limits, describes how clients notice them. */
export const defaultLimits = {
  /** The most bytes of a request line and its headers together. */
  maxHeaderSize: 16 * 1024,
  /**
   * The time from the opening of the connection, or from the first byte of a later request, to the end of the request's
   * headers.
   */
  headersTimeout: 10_000,
  /** The time from a request's first byte to the end of its body. */
  requestTimeout: 30_000,
  /** The time between two requests on a connection. */
  keepAliveTimeout: 60_000,
  /** How often `headersTimeout` and `requestTimeout` are checked, which is how exact they are. */
  connectionsCheckingInterval: 2000,
  /** A connection without traffic for this long is closed, even in the middle of a request or answer. */
  idleTimeout: 60_000,
  /** The most connections that can be open at once. */
  maxConnections: 2048,
  /** The most requests that a client can send ahead on a connection while an earlier one is being answered. */
  maxWaitingRequests: 64,
};
