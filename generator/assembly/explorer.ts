import type { LazyExplorer } from '../units/explorer.ts';
import type { OwnPage } from '../verify/statement.ts';
import { wings } from './wings.ts';

const source = wings.find(({ explorer }) => explorer)?.explorer;

/**
 * The explorer that the options of `build` ask for; null for none. `isGiven`: whether an option is on the command line,
 * and not only in the settings.
 */
export async function chosenExplorer(
  options: Readonly<Record<string, unknown>>,
  isGiven: (name: string) => boolean = () => false,
): Promise<LazyExplorer | null> {
  return source ? source.chosen(options, isGiven) : null;
}

/** The explorer that this program makes, for a statement; null if it makes none. */
export async function ownExplorer(): Promise<OwnPage | null> {
  return source ? source.own() : null;
}
