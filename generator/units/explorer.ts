/**
 * The explorer as a build gets it. `files` are below `/explorer/`, and the other members name some of them, except for
 * `worker`.
 *
 * - `script`, `style`: the files that every view needs.
 * - `views`: the other files that a view needs, by the first part of its address.
 * - `outline`: the background of maps.
 * - `worker`: the code of the service worker.
 */
export type Explorer = {
  readonly script: string;
  readonly style: string;
  readonly views: Readonly<Record<string, readonly string[]>>;
  readonly outline?: string | null;
  readonly worker?: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

/** Where an agency is: its country, and the regions of its stores. */
export type Whereabouts = { readonly country: string; readonly regions: readonly string[] };

/** An explorer that is made only if a build needs it. `digest`: a hash of everything that it is made from. */
export type LazyExplorer = {
  readonly digest: string;
  readonly make: (whereabouts: Whereabouts) => Promise<Explorer>;
};
