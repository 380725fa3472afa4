import { hash } from 'node:crypto';
import type { Publication } from '../database/publications.ts';
import type { Catalog } from '../documents/catalog.ts';
import type { Document, Site } from '../documents/document.ts';
import type { State } from '../documents/state.ts';
import type { DocumentWriter, SiteFile } from './document-writer.ts';
import type { Explorer } from './explorer.ts';
import type { Inputs } from './ledger-file.ts';

/**
 * A part of a site that is made or kept as a whole.
 *
 * - `inputs`: everything that its documents depend on.
 * - `facts`: the argument of its maker, which can be sent to another thread.
 * - `weight`: roughly how many documents it makes, or how many would take as long.
 */
export type Unit<Facts = unknown> = {
  readonly name: string;
  readonly inputs: Inputs;
  readonly facts: Facts;
  readonly weight: number;
};

/** Inputs for listing the units of a build. */
export type BuildContext = {
  readonly writer: DocumentWriter;
  readonly catalog: Catalog;
  /** Publications whose exports the site keeps, newest first. */
  readonly exported: readonly Publication[];
  /** The explorer; null for a site without one. */
  readonly explorer: Explorer | null;
  /** The inputs of a unit in the last build, if this code made it; undefined otherwise. */
  readonly inputsBefore: (unit: string) => Inputs | undefined;
  /** A digest of the inputs of a unit that is already listed. */
  readonly unitInputs: (unit: string) => Inputs[string];
  /** The file that a unit of an earlier stage wrote at an address. */
  readonly fileAt: (path: string) => SiteFile;
  /** What the explorer's page says in its head for machines, as elements of HTML. */
  readonly headElements: () => readonly string[];
};

/**
 * A kind of unit: its units, and how to make one. Any thread can make a unit with `makeShared`, from its facts. Only
 * the main thread makes a unit with `makeOwn`, from everything that it has in memory.
 */
export type Kind = { readonly units: (context: BuildContext) => Iterable<Unit> } & (
  | { readonly makeShared: (writer: DocumentWriter, facts: unknown) => void; readonly makeOwn?: undefined }
  | { readonly makeOwn: (context: BuildContext) => void; readonly makeShared?: undefined }
);

/**
 * The stages of a build, in their order. A build makes the kinds of a stage together; kinds of a later stage may read
 * what they wrote.
 */
export const stageNames = ['making documents', 'joining tables', 'listing files'] as const;

/** The kinds of units in each stage, by their names. */
export type Stages = Readonly<Record<(typeof stageNames)[number], Readonly<Record<string, Kind>>>>;

/**
 * What a build makes: its units, and what the explorer's page says in its head. `threadFile`: the module of a thread
 * that makes the same units.
 */
export type Contents = {
  readonly stages: Stages;
  readonly headElements: (context: BuildContext) => readonly string[];
  readonly threadFile: URL;
};

/** All kinds of units, by their names. */
export function kindsIn(stages: Stages): Readonly<Record<string, Kind>> {
  return Object.assign({}, ...Object.values(stages));
}

/** A kind whose units any thread can make. */
export function shared<Facts>(
  units: (context: BuildContext) => Iterable<Unit<Facts>>,
  make: (writer: DocumentWriter, facts: Facts) => void,
): Kind {
  return { units, makeShared: (writer, facts) => make(writer, facts as Facts) };
}

/** A single unit, which may change with every publication and with the operator's choices. */
export function onMainThread(name: string, make: (context: BuildContext) => Iterable<Document> | undefined): Kind {
  return {
    units: ({ writer, exported, explorer }) => {
      const { state, license } = writer;
      const inputs = {
        revision: state.publication.revision,
        exports: digest(exported.map(({ revision }) => revision)),
        license: digest(license),
        explorer: digest(explorer && [explorer.worker, ...explorer.files.map(({ name }) => name)]),
      };
      return [{ name, inputs, facts: null, weight: 1 }];
    },
    makeOwn: (context) => context.writer.write(make(context) ?? []),
  };
}

/** A unit that makes a single document. */
export function single(name: string, document: (state: State, catalog: Catalog, site: Site) => Document): Kind {
  return onMainThread(name, ({ writer, catalog }) => [document(writer.state, catalog, writer)]);
}

/** A short hash of some inputs. */
export function digest(inputs: unknown): string {
  return hash('sha256', JSON.stringify(inputs)).slice(0, 32);
}
