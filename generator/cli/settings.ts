import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { isOutlineFile } from '../../explorer/bundler/outline-choice.ts';
import { Failure } from '../files/failure.ts';
import type { Settings, SettingsFile } from './settings-file.ts';

/** The file of settings that commands read in the working folder. */
export const usualFile = 'shelfpress.json';

/** The file that was named, else the usual one. Null if none was named and there is none. */
export function findSettings(named: string | undefined): string | null {
  return named ?? (existsSync(usualFile) ? usualFile : null);
}

/**
 * A setting: its place in the file, its meaning, and the options and arguments, by command, that it gives. `flag` is the option
 * of `init` that writes it. A path is relative to the file.
 */
type Setting = {
  readonly member: string;
  readonly meaning: string;
  readonly flag?: string;
  readonly isPath?: true;
  /** Whether it is a file that must be there already. */
  readonly isFile?: true;
  /** Which of its values are paths, where not all are. */
  readonly isPathIn?: (value: string) => boolean;
  readonly gives: Readonly<Record<string, string>>;
};

/** Every setting. docs/cli.md prints this table. */
export const table: readonly Setting[] = [
  {
    member: 'database',
    meaning: 'the publication database; default `publication.sqlite`',
    flag: '--db <file>',
    isPath: true,
    gives: { check: '--db', publish: '--db', unpublish: '--db', build: '--db' },
  },
  {
    member: 'site',
    meaning: 'the folder of the site; default `site`',
    flag: '--out <site>',
    isPath: true,
    gives: { unpublish: '--out', build: '--out', serve: '[site]', verify: '<site>', hosts: '<site>', deploy: '<site>' },
  },
  {
    member: 'base_url',
    meaning: 'the public URL below which documents have absolute URLs',
    flag: '--base-url <url>',
    gives: { build: '--base-url', serve: '--base-url' },
  },
  {
    member: 'license',
    meaning: 'the license of the data, such as `CC-BY-4.0`',
    flag: '--data-license <name[=url]>',
    gives: { build: '--data-license' },
  },
  {
    member: 'outline',
    meaning:
      'borders behind the maps of the page: a country or US state, such as `NO` or `US-UT`, a GeoJSON file, or `none`; default by the stores',
    flag: '--outline <area>',
    isPath: true,
    isFile: true,
    isPathIn: isOutlineFile,
    gives: { build: '--outline' },
  },
  { member: 'explorer', meaning: 'false leaves out the page for people', gives: { build: '--no-explorer' } },
  {
    member: 'exports',
    meaning: 'exports of `retained` publications, or of the `current` one',
    gives: { build: '--exports' },
  },
  {
    member: 'signing_key',
    meaning: 'the private key that signs the pointer',
    flag: '--sign <key>',
    isPath: true,
    isFile: true,
    gives: { build: '--sign' },
  },
  {
    member: 'signature_valid_hours',
    meaning: 'hours until the signature expires; every build signs again',
    gives: { build: '--valid-for' },
  },
  {
    member: 'recipe',
    meaning: "the recipe for the agency's files in `incoming`",
    flag: '--recipe <file>',
    isPath: true,
    isFile: true,
    gives: {},
  },
  {
    member: 'delivery_times',
    meaning:
      "`files`: a delivery of the agency's files without a day in its name has the time of its newest file; default `names`, which refuses it",
    gives: {},
  },
  {
    member: 'hosts.kind',
    meaning: '`nginx`, `caddy` or `static`; default all. With `hosts`, also `{}`, `update` writes their files',
    gives: { hosts: '--host' },
  },
  { member: 'hosts.folder', meaning: 'the folder for these files', isPath: true, gives: { hosts: '--out' } },
  { member: 'hosts.root', meaning: 'the path of the site on the serving machine', gives: { hosts: '--root' } },
  { member: 'hosts.listen', meaning: 'a port, or an IP address and a port', gives: { hosts: '--listen' } },
  { member: 'hosts.server_name', meaning: 'the name of the host', gives: { hosts: '--server-name' } },
  { member: 'hosts.shim', meaning: 'the URL of a `serve`', gives: { hosts: '--shim' } },
  {
    member: 'deploy.bucket',
    meaning: '`s3://BUCKET/PREFIX`, to which `update` deploys',
    flag: '--bucket <url>',
    gives: { deploy: '<bucket>' },
  },
  { member: 'deploy.endpoint', meaning: 'the server of the bucket', gives: { deploy: '--endpoint' } },
  { member: 'deploy.only', meaning: '`objects`: no documents', gives: { deploy: '--only' } },
];

/** A path as it is in the file of settings, as the working folder sees it. */
export function besideSettings({ file }: Pick<SettingsFile, 'file'>, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

/** Gives a command the options and arguments that are in the settings. Those of the command line come first. */
export function applySettings(command: Command, from: SettingsFile): void {
  for (const { member, isPath, isPathIn = () => true, gives } of table) {
    const value = settingOf(from.settings, member);
    const place = gives[command.name()];
    if (place === undefined || value === undefined) continue;
    const given = isPath && isPathIn(String(value)) ? besideSettings(from, String(value)) : value;
    const option = command.options.find(({ long }) => long === place);
    const argument = command.registeredArguments.find((one) => [`<${one.name()}>`, `[${one.name()}]`].includes(place));
    const { parseArg } = option ?? argument ?? {};
    const parsed = explainMember(`${from.file} ${member}`, given, () =>
      typeof given === 'string' && parseArg ? parseArg<unknown>(given, undefined) : given,
    );
    if (option) command.setOptionValueWithSource(option.attributeName(), parsed, 'default');
    else argument?.argOptional().default(parsed);
  }
}

/** Throws a Failure that names the member and its value where the option would be wrong usage. */
function explainMember<Result>(member: string, given: unknown, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidArgumentError)
      throw new Failure('settings_faults', `${member} '${given}': ${error.message}`);
    // The value is not to be repeated.
    if (error instanceof Failure && error.code === 'wrong_usage')
      throw new Failure('settings_faults', `${member}: ${error.message}`);
    throw error;
  }
}

function settingOf(from: Settings, member: string): unknown {
  return member
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], from);
}

/** Says in the help of a command what the file of settings may give. */
export function addSettingsHelp(command: Command): void {
  const places = placesIn(command);
  if (places.length === 0) return;
  command.addHelpText('after', `\n${usualFile}, or the file of --settings, may give ${places.join(', ')}.`);
}

export function takesSettings(command: Command): boolean {
  return placesIn(command).length > 0;
}

function placesIn(command: Command): string[] {
  return table.flatMap(({ gives }) => gives[command.name()] ?? []);
}
