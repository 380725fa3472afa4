import type { Recipe } from '../recipe/recipe.ts';

type Entries = Readonly<Record<string, string | null>>;

/** A table of values that remembers which of its entries were used. */
export class Lookup {
  readonly name: string;
  readonly #entries: ReadonlyMap<string, string | null>;
  readonly #used = new Set<string>();

  constructor(name: string, entries: Entries) {
    this.name = name;
    this.#entries = new Map(Object.entries(entries));
  }

  /** The value of an entry, or undefined if there is none. */
  find(key: string): string | null | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#used.add(key);
    return value;
  }

  get expected(): string {
    const keys = [...this.#entries.keys()];
    const more = keys.length > 10 ? ', …' : '';
    return `one of ${keys.slice(0, 10).join(', ')}${more}`;
  }

  get unused(): readonly string[] {
    return [...this.#entries.keys()].filter((key) => !this.#used.has(key));
  }
}

/** The lookups of a recipe: those of its `lookups` by name, and those that a rule has of its own. */
export class Lookups {
  readonly #named: ReadonlyMap<string, Lookup>;
  readonly #own: Lookup[] = [];

  constructor({ lookups = {} }: Recipe) {
    this.#named = new Map(
      Object.entries(lookups).map(([name, entries]) => [name, new Lookup(`lookups.${name}`, entries)]),
    );
  }

  /** The lookup of a rule at `place` in the recipe. Undefined if the recipe names one that it does not have. */
  of(place: string, lookup: string | Entries | undefined): Lookup | null | undefined {
    if (lookup === undefined) return null;
    if (typeof lookup === 'string') return this.#named.get(lookup);
    const own = new Lookup(`${place}.lookup`, lookup);
    this.#own.push(own);
    return own;
  }

  get all(): readonly Lookup[] {
    return [...this.#named.values(), ...this.#own];
  }
}
