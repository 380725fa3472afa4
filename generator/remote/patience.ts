/** How long a client puts up with a host. Milliseconds. */
export type Patience = {
  /** So often something is asked for in all. */
  readonly attempts: number;
  /** Before the second attempt; twice as long before each further one. */
  readonly firstWaitMs: number;
  /** The longest wait between two attempts; a host that asks for more ends the run. */
  readonly longestWaitMs: number;
  /** Within so long all headers have to come; then without a byte of a body for so long a connection counts as dead. */
  readonly idleMs: number;
  /** A body has to bring so many bytes in each window of time that it takes whole. */
  readonly windowMs: number;
  readonly leastBytesPerWindow: number;
};

/** 1,024 bytes a second: of 16 downloads at once that is a line of 130 kbit/s. */
export const usualPatience: Patience = {
  attempts: 6,
  firstWaitMs: 500,
  longestWaitMs: 60_000,
  idleMs: 30_000,
  windowMs: 30_000,
  leastBytesPerWindow: 30 * 1024,
};
