import { isDeepStrictEqual } from 'node:util';
import { formatPath, pointerFile } from '../../contract/paths.ts';
import { parseJson } from '../../contract/text.ts';
import { contentDigest } from '../database/content-digest.ts';
import { readDatabase } from '../database/database-file.ts';
import { Failure } from '../files/failure.ts';
import { programParts } from '../files/package-files.ts';
import { digestBytes } from '../site/checked-files.ts';
import type { BuildOptions } from '../units/build.ts';
import type { SiteUnderCheck } from './documents.ts';

/** The file with the outline behind the explorer's maps, by its name below `/explorer/`. */
export type OutlineFile = { readonly name: string; readonly text: string };

/**
 * The explorer of this program. `sha256`: the hash of all its code. `withOutline`: the explorer with the outline of a
 * site.
 */
export type OwnPage = {
  readonly sha256: string;
  readonly withOutline: (outline: OutlineFile | null) => NonNullable<BuildOptions['explorer']>;
};

type Digest = { readonly sha256: string };

/**
 * What a statement says about a build, apart from the site itself. `answers`: the SHA-256 of {@link answerLine} of all
 * answers.
 */
export type Rebuild = {
  readonly settings: Pick<BuildOptions, 'baseUrl' | 'choices' | 'dataLicense' | 'exports'>;
  /** Null if the site has no explorer. */
  readonly page: { readonly sha256: string; readonly outline: OutlineFile | null } | null;
  readonly answers: string;
};

/** The document in the package that explains the fields. */
const buildType = 'pkg:npm/shelfpress#docs/operating.md';

/**
 * An in-toto statement with SLSA provenance: this program makes this site from this database. It has no time, no name
 * of a folder or machine, and nothing else that differs for another builder.
 */
export function makeStatement(site: SiteUnderCheck, database: string, { settings, page, answers }: Rebuild) {
  const { version, source, packages } = programParts();
  const program = `pkg:npm/shelfpress@${version}`;
  const outline = page?.outline ?? null;
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: pointerFile, digest: { sha256: pointerDigest(site) } },
      { name: 'answers', digest: { sha256: answers } },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: {
          base_url: settings.baseUrl,
          data_license: settings.dataLicense ?? null,
          exports: settings.exports,
          explorer: page !== null,
          outline: outline && digestText(outline.text),
          ...settings.choices,
        },
        resolvedDependencies: [
          { name: 'database', digest: { sha256: readDatabase(database, contentDigest) } },
          { name: 'program', uri: program, digest: { sha256: source } },
          ...(page === null ? [] : [{ name: 'explorer', digest: { sha256: page.sha256 } }]),
          ...packages.map(({ name, version }) => ({ uri: `pkg:npm/${name.replace(/^@/, '%40')}@${version}` })),
        ],
      },
      runDetails: { builder: { id: program } },
    },
  };
}

/** The line of an answer, or of its compressed form, in the text whose hash a statement has. */
export function answerLine(sha256: string, path: string, encoding: string | null): string {
  return `${sha256}  ${path}${encoding === null ? '' : ` ${encoding}`}\n`;
}

/** The outline behind the maps of a site's explorer; null if the site has no outline or no explorer. */
export function readOutline({ table, ledger }: SiteUnderCheck): OutlineFile | null {
  const read = (path: string) => {
    const route = table.routes.get(path);
    return route ? (ledger.read(route.sha256, path)?.toString() ?? null) : null;
  };
  const page = read(formatPath('explorer'));
  const [, asset] = /<meta name="shelfpress-outline" content="explorer\/([0-9a-f]+)\.json">/.exec(page ?? '') ?? [];
  const text = asset === undefined ? null : read(formatPath('explorer_data', { asset }));
  return text === null ? null : { name: `${asset}.json`, text };
}

/** The hash of the pointer that was verified. Throws a Failure when a build has replaced it since. */
function pointerDigest({ files, pointer }: SiteUnderCheck): string {
  const { bytes } = files.read(pointerFile);
  if (isDeepStrictEqual(parseJson(bytes.toString()), pointer)) return digestBytes(bytes).sha256;
  throw new Failure(
    'busy',
    `${files.directory}: the publication changed while it was verified; run again after the build`,
  );
}

function digestText(text: string): Digest {
  return { sha256: digestBytes(Buffer.from(text)).sha256 };
}
