/** The stores in scope, nearest first and at one distance by id, as arrays of equal length. */
export type Candidates = {
  /** Metres from the origin, rounded. */
  readonly distances: Int32Array;
  /** Bit p: the store covers the product that was requested at position p, of 25 at most. */
  readonly coverage: Int32Array;
  /** Where the store's id stands among the ids of all stores in text order. */
  readonly idRanks: Int32Array;
};

/** Positions of a plan's stores among the candidates, nearest first. */
export type Plan = readonly number[];
