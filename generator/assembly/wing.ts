import type { Command } from 'commander';
import type { Storage } from '../site/storage.ts';
import type { Output } from '../terminal/output.ts';
import type { LazyExplorer } from '../units/explorer.ts';
import type { BuildContext, Stages } from '../units/kind.ts';
import type { SiteChecks } from '../verify/documents.ts';
import type { OwnPage } from '../verify/statement.ts';

/** The options of a command, by the names that commander gives them. */
type Chosen = Readonly<Record<string, unknown>>;

/** An option. `parse` throws a Failure for a wrong value. `isChoice`: the value is for units of a build. */
export type WingOption = {
  readonly flags: string;
  readonly description: string;
  readonly parse?: (text: string) => string;
  readonly conflicts?: string;
  readonly isChoice?: true;
};

/**
 * A setting: its place in the file, its meaning, and for each command the option or argument that it stands for. `flag`
 * is the option of `init` that writes it. Paths are relative to the file. `type`: that of its member in the file.
 */
export type WingSetting = {
  readonly member: string;
  readonly type: 'text' | 'boolean';
  readonly meaning: string;
  readonly flag?: string;
  readonly isPath?: true;
  /** Whether it is a file that must already exist. */
  readonly isFile?: true;
  /** Which of its values are paths, if not all are. */
  readonly isPathIn?: (value: string) => boolean;
  readonly gives: Readonly<Record<string, string>>;
};

/** A command. `group`: the heading below which the help lists it. */
export type WingCommand = {
  readonly group: string;
  readonly summary: string;
  readonly load: () => Promise<(command: Command, output: Output) => void>;
};

/**
 * A part that a site can do without. It gives rows to the tables of the rest, which does not know it by name. Functions
 * load what they need when they are called, because every command reads this.
 */
export type Wing = {
  /** Units of a build, and what the explorer's page says in its head. */
  readonly contents: () => Promise<{
    readonly stages: Partial<Stages>;
    readonly headElements?: (context: BuildContext) => readonly string[];
  }>;
  /** Checks of a site, and the choices of the build that made it, as it states them. */
  readonly checks?: () => Promise<SiteChecks>;
  /** The explorer that a build gets, and the one that a statement names. */
  readonly explorer?: {
    readonly chosen: (options: Chosen, isGiven: (name: string) => boolean) => Promise<LazyExplorer | null>;
    readonly own: () => Promise<OwnPage>;
  };
  /** Completes a mirror that is whole, as the options of `mirror` say. */
  readonly completeMirror?: (storage: Storage, options: Chosen) => Promise<void>;
  /** Makes the files that an installed package has ready, by their paths in the package. */
  readonly makePackageFiles?: () => Promise<ReadonlyMap<string, string>>;
  readonly commands?: Readonly<Record<string, WingCommand>>;
  /** Options of `build` and `mirror`. */
  readonly options?: Readonly<Partial<Record<'build' | 'mirror', readonly WingOption[]>>>;
  readonly settings?: readonly WingSetting[];
};
