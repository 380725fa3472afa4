import { type Command, InvalidArgumentError, Option } from 'commander';
import { secondText } from '../../contract/instant.ts';
import { type DataLicense, dataLicense } from '../../contract/schemas/data-package.ts';
import { isWebUrl } from '../../contract/schemas/metadata.ts';
import { buildSite } from '../assembly/build-site.ts';
import { chosenExplorer } from '../assembly/explorer.ts';
import { refuseCredentials } from '../http/urls.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, publicationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { readPrivateKey } from '../trust/keys.ts';
import { limitHeapOfRoutes, noticeCopies, requireOption } from './options.ts';
import { addWingOptions, choicesIn } from './wing-options.ts';

export type BuildOptions = {
  db: string;
  out: string;
  baseUrl?: string;
  exports: 'retained' | 'current';
  dataLicense?: DataLicense;
  keepAll: boolean;
  full: boolean;
  sign?: string;
  anyClock: boolean;
  validFor?: number;
  json: boolean;
};

export function defineBuild(command: Command, output: Output): void {
  requireOption(command, '--db <file>', 'publication database', 'publication.sqlite');
  requireOption(command, '--out <site>', 'folder of the site', 'dist');
  command
    .option(
      '--base-url <url>',
      'write absolute URLs below this URL in documents, instead of absolute paths',
      parseBaseUrl,
    )
    .addOption(
      new Option(
        '--exports <which>',
        'make exports for all retained publications, or only for the current one, for a preview',
      )
        .choices(['retained', 'current'])
        .default('retained'),
    )
    .option(
      '--data-license <name[=url]>',
      'license of the data, such as CC-BY-4.0, instead of the one in the curation',
      parseLicense,
    );
  addWingOptions(command, 'build');
  command
    .option('--keep-all', 'delete nothing', false)
    .option(
      '--full',
      'make every document again, check every object, and drop the documents of earlier publications',
      false,
    )
    .option('--sign <key>', 'sign the pointer with this private key from keygen')
    .option('--valid-for <hours>', 'hours until the signature expires; every build renews it', parseHours)
    .option(
      '--any-clock',
      'with --valid-for: sign even though the clock is behind the publication or the last signature',
      false,
    )
    .option('--json', 'print the summary as one JSON object', false)
    .action(async (options: BuildOptions) => {
      if (options.validFor !== undefined && options.sign === undefined)
        command.error('error: --valid-for needs --sign');
      const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
      const { facts, lines } = await buildAs(options, output, isGiven);
      output.result(facts, lines);
    });
  withExample(command, 'shelfpress build --db publication.sqlite --out dist');
}

/** `isGiven`: whether an option is on the command line. */
export async function buildAs(
  { db, out, baseUrl, exports, dataLicense, keepAll, full, sign, anyClock, validFor, ...rest }: BuildOptions,
  output: Output,
  isGiven?: (name: string) => boolean,
) {
  const key = sign === undefined ? null : readPrivateKey(sign);
  const now = validFor === undefined ? null : Date.now();
  const expires = now === null || validFor === undefined ? null : `${secondText(now + validFor * 3_600_000)}Z`;
  const elapsed = stopwatch();
  const onProgress = (stage: string, done: number, of: number) => output.progress(stage, done, of);
  const options = {
    database: db,
    out,
    baseUrl: baseUrl ?? null,
    exports,
    dataLicense: dataLicense ?? null,
    keepAll,
    full,
    explorer: await chosenExplorer(rest, isGiven),
    choices: choicesIn(rest),
  };
  limitHeapOfRoutes();
  const summary = await buildSite(options, onProgress, key && { key, expires, clock: anyClock ? null : now });
  const seconds = elapsed();
  const { publication, lacking, ...counts } = summary;
  const { revision, sequence, published_at } = publication;
  const { resources, written, bytes, reused, deleted } = counts;
  noticeCopies(out, lacking, output);
  return {
    facts: { revision, sequence, published_at, ...counts, signed_by: key?.fingerprint ?? null, seconds },
    lines: [
      `built ${publicationText(publication)}, in ${out}`,
      `${resources} resources: ${written} objects written (${sizeText(bytes)}), ${reused} reused, ${deleted} deleted; ${durationText(seconds)}`,
      ...(key ? [`signed by key ${key.fingerprint}${expires === null ? '' : `, until ${expires}`}`] : []),
    ],
  };
}

function parseBaseUrl(text: string): string {
  refuseCredentials(text);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new InvalidArgumentError(`expected an http or https URL like https://example.org/v1`);
  }
  return text;
}

function parseHours(text: string): number {
  const hours = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (hours === 0) throw new InvalidArgumentError('expected a number of hours such as 48');
  return hours;
}

function parseLicense(text: string): DataLicense {
  const [, name = '', path] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (path !== undefined) refuseCredentials(path);
  const license = { name, ...(path === undefined ? {} : { path }) };
  if (!dataLicense.safeParse(license).success || (path !== undefined && !isWebUrl(path))) {
    throw new InvalidArgumentError(
      'expected a name of letters, digits and .-_, optionally followed by = and an http or https URL',
    );
  }
  return license;
}
