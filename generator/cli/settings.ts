import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { WingSetting } from '../assembly/wing.ts';
import { wings } from '../assembly/wings.ts';
import { Failure } from '../files/failure.ts';
import type { Settings, SettingsFile } from './settings-file.ts';

/** Commands read this file in the working folder. */
export const usualFile = 'shelfpress.json';

/** The file that `--settings` names, or the usual one if it exists. Otherwise null. */
export function findSettings(named: string | undefined): string | null {
  return named ?? (existsSync(usualFile) ? usualFile : null);
}

type Setting = Omit<WingSetting, 'type'>;

/** docs/cli.md prints this table. */
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
    meaning: 'the folder of the site; default `dist`',
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
  ...wings.flatMap(({ settings = [] }) => settings),
  {
    member: 'exports',
    meaning: 'exports for all `retained` publications, or only for the `current` one',
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
    meaning: 'hours until the signature expires; every build renews it',
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
      '`files` dates a delivery without a day in its name by its newest file; `names`, the default, refuses such a delivery',
    gives: {},
  },
  {
    member: 'verify.full_every',
    meaning:
      'how often `update` verifies everything, and not only what is new, such as `7d` (the default) or `12h`; `0d` for always',
    gives: { verify: '--full-every' },
  },
  {
    member: 'hosts.kind',
    meaning:
      '`nginx`, `caddy` or `static`; default all. If `hosts` is set, even to `{}`, `update` writes the configuration files',
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
  { member: 'deploy.only', meaning: '`objects` uploads no documents', gives: { deploy: '--only' } },
];

export function besideSettings({ file }: Pick<SettingsFile, 'file'>, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

/** The command line takes precedence over the settings. */
export function applySettings(command: Command, from: SettingsFile): void {
  for (const { member, isPath, isPathIn = () => true, gives } of table) {
    const value = readSetting(from.settings, member);
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

/** A wrong setting is a Failure that names the member and its value, not wrong usage. */
function explainMember<Result>(member: string, given: unknown, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (error instanceof InvalidArgumentError)
      throw new Failure('settings_faults', `${member} '${given}': ${error.message}`);
    // The value may be a secret, so it is not repeated.
    if (error instanceof Failure && error.code === 'wrong_usage')
      throw new Failure('settings_faults', `${member}: ${error.message}`);
    throw error;
  }
}

function readSetting(from: Settings, member: string): unknown {
  return member
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], from);
}

/** Adds to a command's help which options and arguments the settings can supply. */
export function addSettingsHelp(command: Command): void {
  const places = placesIn(command);
  if (places.length === 0) return;
  command.addHelpText('after', `\n${usualFile}, or the file named by --settings, can supply ${places.join(', ')}.`);
}

export function takesSettings(command: Command): boolean {
  return placesIn(command).length > 0;
}

function placesIn(command: Command): string[] {
  return table.flatMap(({ gives }) => gives[command.name()] ?? []);
}
