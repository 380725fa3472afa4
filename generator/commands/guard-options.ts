import { type Command, Option } from 'commander';
import { type GuardName, guardNames } from '../publish/guards.ts';
import type { PublishOptions } from '../publish/publish.ts';
import { collect } from './options.ts';

export type GuardOptions = {
  readonly accept?: readonly (GuardName | 'all')[];
  readonly acceptShrink: boolean;
  readonly acceptFuture: boolean;
};

/** Adds the options that accept what guards would stop. */
export function addGuardOptions(command: Command): void {
  const accept = new Option('--accept <guard>', 'publish although this guard stops it; repeatable').choices([
    ...guardNames,
    'all',
  ]);
  const { parseArg } = accept;
  command
    .addOption(
      accept.argParser((text: string, before: readonly string[] | undefined) => {
        parseArg?.(text, undefined as never);
        return collect(text, before);
      }),
    )
    .option('--accept-shrink', 'the same as --accept catalog --accept inventory', false)
    .option('--accept-future', 'the same as --accept future', false);
}

/** The guards that these options accept, and the latest time that is not of the future. */
export function guardSettings({
  accept = [],
  acceptShrink,
  acceptFuture,
}: GuardOptions): Pick<Required<PublishOptions>, 'accept' | 'notAfter'> {
  const shrink: readonly GuardName[] = acceptShrink ? ['catalog', 'inventory'] : [];
  const future: readonly GuardName[] = acceptFuture ? ['future'] : [];
  const accepted = accept.includes('all') ? guardNames : guardNames.filter((name) => accept.includes(name));
  return { accept: [...accepted, ...shrink, ...future], notAfter: aDayFromNow() };
}

/**
 * The latest time that a publication may have. A collector's clock may be wrong by hours, or by a time zone; a time
 * further ahead is a mistake.
 */
function aDayFromNow(): string {
  return `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
}
