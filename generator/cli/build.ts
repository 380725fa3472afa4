import { type Command, InvalidArgumentError, Option } from 'commander';
import { isWebUrl } from '../../contract/documents/metadata.ts';
import { type DataLicense, dataLicense } from '../../contract/formats/data-package.ts';
import { secondText } from '../../contract/instant.ts';
import { readExplorer } from '../../explorer/bundler/explorer-files.ts';
import { withArea, withAreas, withOutline } from '../../explorer/bundler/outline.ts';
import { isAreaName, noOutline } from '../../explorer/bundler/outline-choice.ts';
import { buildSite, type Whereabouts } from '../build/build.ts';
import { refuseCredentials } from '../site/http/urls.ts';
import { readPrivateKey } from '../site/keys.ts';
import { durationText, type Output, publicationText, sizeText, stopwatch, withExample } from './command-line.ts';
import { limitHeapOfRoutes, requireOption } from './options.ts';

type Options = {
  db: string;
  out: string;
  baseUrl?: string;
  exports: 'retained' | 'current';
  dataLicense?: DataLicense;
  keepAll: boolean;
  full: boolean;
  sign?: string;
  validFor?: number;
  explorer: boolean;
  outline?: string;
  json: boolean;
};

/** `build --db FILE --out DIR`: the site of the latest publication. */
export function defineBuild(command: Command, output: Output): void {
  requireOption(command, '--db <file>', 'publication database', 'publication.sqlite');
  requireOption(command, '--out <site>', 'folder of the site', 'site');
  command
    .option(
      '--base-url <url>',
      'write absolute URLs below this URL in documents, instead of absolute paths',
      parseBaseUrl,
    )
    .addOption(
      new Option('--exports <which>', 'exports of all retained publications, or only of the current one for a preview')
        .choices(['retained', 'current'])
        .default('retained'),
    )
    .option(
      '--data-license <name[=url]>',
      'license of the data, such as CC-BY-4.0, instead of the one that the curation states',
      parseLicense,
    )
    .option('--no-explorer', 'leave out the page for people')
    .addOption(
      new Option(
        '--outline <area>',
        'borders behind the maps of that page: a country or US state, a GeoJSON file, or none; default by the stores',
      ).conflicts('explorer'),
    )
    .option('--keep-all', 'delete nothing', false)
    .option('--full', 'make every document again, check every object, drop documents of earlier publications', false)
    .option('--sign <key>', 'sign the pointer with this private key from keygen')
    .option('--valid-for <hours>', 'hours until the signature expires; every build signs again', parseHours)
    .option('--json', 'print the summary as one JSON object', false)
    .action(async ({ db, out, baseUrl, sign, validFor, explorer: hasExplorer, outline, json: _, ...rest }: Options) => {
      if (validFor !== undefined && sign === undefined) command.error('error: --valid-for goes with --sign');
      const key = sign === undefined ? null : readPrivateKey(sign);
      const expires = validFor === undefined ? null : `${secondText(Date.now() + validFor * 3_600_000)}Z`;
      const elapsed = stopwatch();
      const onProgress = (stage: string, done: number, of: number) => output.progress(stage, done, of);
      // A file of settings may leave out the page that an outline on the command line is for.
      const isWanted = hasExplorer || command.getOptionValueSource('outline') === 'cli';
      const explorer = isWanted ? await explorerWith(outline) : null;
      const options = { database: db, out, baseUrl: baseUrl ?? null, explorer, ...rest };
      limitHeapOfRoutes();
      const summary = await buildSite(options, onProgress, key && { key, expires });
      const seconds = elapsed();
      const { publication, ...counts } = summary;
      const { revision, sequence, published_at } = publication;
      const { resources, written, bytes, reused, deleted } = counts;
      output.result({ revision, sequence, published_at, ...counts, signed_by: key?.fingerprint ?? null, seconds }, [
        `built ${publicationText(publication)}, in ${out}`,
        `${resources} resources: ${written} objects written (${sizeText(bytes)}), ${reused} reused, ${deleted} deleted; ${durationText(seconds)}`,
        ...(key ? [`signed by key ${key.fingerprint}${expires === null ? '' : `, until ${expires}`}`] : []),
      ]);
    });
  withExample(command, 'shelfpress build --db publication.sqlite --out site');
}

/** The page for people, with the outline that the operator chose. Without a choice it is that of where the stores are. */
async function explorerWith(outline: string | undefined) {
  const explorer = await readExplorer();
  if (outline === undefined) return (whereabouts: Whereabouts) => withAreas(explorer, areasOf(whereabouts));
  if (outline === noOutline) return explorer;
  return isAreaName(outline) ? withArea(explorer, outline) : withOutline(explorer, outline);
}

/** A region that is no state of the US, as in invented data, has no borders in the real world, and its map has none. */
function areasOf({ country, regions }: Whereabouts): readonly string[] {
  return country === 'US' ? regions.map((region) => `US-${region}`) : [country];
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
      'expected a name of letters, digits and .-_, then perhaps = and an http or https URL',
    );
  }
  return license;
}
