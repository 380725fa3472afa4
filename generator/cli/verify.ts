import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { pointerFile } from '../../contract/paths.ts';
import { ownExplorer } from '../assembly/explorer.ts';
import { type Verification, verifySite } from '../assembly/verify-site.ts';
import { replaceFile } from '../files/durable-files.ts';
import { countOf, Failure } from '../files/failure.ts';
import { type Fault, formatFault } from '../site/fault.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { readPublicKey } from '../trust/keys.ts';
import type { VerifyProgress } from '../verify/documents.ts';
import { type LiveVerification, verifyLive } from '../verify/live-site.ts';
import { readProof, writeProof } from '../verify/proof.ts';
import {
  fullEveryOption,
  headersFor,
  headersOption,
  isSiteUrl,
  limitHeapOfRoutes,
  parseSiteOrFolder,
  redirectOption,
  wholeNumber,
} from './options.ts';

export type VerifyOptions = {
  key?: string;
  witness?: string;
  db?: string;
  statement?: string;
  sample?: number;
  all: boolean;
  bytes: boolean;
  allowRedirectsTo?: readonly string[];
  headers?: string;
  proof?: string;
  fullEvery: number;
};

const usualSample = 100;

/** Prints one line for each fault, by path, and fails; or prints one line of counts. */
export function defineVerify(command: Command, output: Output): void {
  command
    .argument('<site>', 'folder of the site, or http or https URL of its public root', parseSiteOrFolder)
    .option('--key <file>', 'public key that must have signed the pointer')
    .option('--witness <file>', 'folder only: public key of a witness, whose signature must be beside the pointer')
    .option(
      '--db <file>',
      'folder only: rebuild the site from this database, in a temporary folder, and compare all answers',
    )
    .option(
      '--statement <file>',
      'with --db: also compare the explorer, and if there is no fault, write an in-toto statement of the build',
    )
    .option(
      '--proof <file>',
      'folder only: record the result in this file, and next time check only what is new; every object is hashed',
    )
    .addOption(fullEveryOption())
    .option(
      '--sample <count>',
      `URL only: number of addresses to request (default: ${usualSample})`,
      wholeNumber(1, 999_999_999),
    )
    .option('--all', 'URL only: request every address', false)
    .option('--bytes', 'URL only: compare bodies only, not headers: buckets cannot send every header', false)
    .addOption(redirectOption())
    .addOption(headersOption())
    .option('--json', 'print one JSON object: ok, counts, faults', false)
    .action(async (site: string, options: VerifyOptions) => {
      const { db, statement: statementFile, sample, all, bytes, allowRedirectsTo: redirectsTo } = options;
      const isUrl = isSiteUrl(site);
      if (isUrl && options.witness !== undefined)
        command.error(
          "error: --witness needs a folder: mirror the site, and put the witness's file beside current.json",
        );
      if (isUrl && db !== undefined)
        command.error('error: --db needs a folder: mirror the site, and compare the mirror with the database');
      const hasHeaders = command.getOptionValueSource('headers') === 'cli';
      if (!isUrl && (all || bytes || sample !== undefined || redirectsTo !== undefined || hasHeaders))
        command.error(
          'error: --sample, --all, --bytes, --allow-redirects-to and --headers need a URL: a folder is always checked whole',
        );
      if (statementFile !== undefined && db === undefined)
        command.error('error: --statement needs the database that the site was built from: name it with --db');
      if (isUrl && options.proof !== undefined) command.error('error: --proof needs a folder');
      if (options.proof === undefined && command.getOptionValueSource('fullEvery') === 'cli')
        command.error('error: --full-every needs --proof');
      if (all && sample !== undefined) command.error('error: expected --sample or --all, got both');
      const { facts, lines, failure } = await verifyAs(site, options, output);
      output.result(facts, lines);
      if (failure !== null) throw failure;
    });
  command.addHelpText('after', `\n${aboutDatabase}`);
  withExample(
    command,
    'shelfpress verify dist',
    'shelfpress verify dist --proof proof.json',
    'shelfpress verify dist --db publication.sqlite',
    'shelfpress verify dist --db publication.sqlite --statement statement.json',
    'shelfpress verify https://example.org/v1 --sample 500',
  );
}

export async function verifyAs(site: string, options: VerifyOptions, output: Output) {
  const { key: keyFile, db, statement: statementFile, sample, all, bytes, allowRedirectsTo: redirectsTo } = options;
  const isUrl = isSiteUrl(site);
  const key = keyFile === undefined ? null : readPublicKey(keyFile);
  const witness = options.witness === undefined ? null : readPublicKey(options.witness);
  if (!isUrl) requireFolder(site);
  const proof = options.proof === undefined ? null : readProof(options.proof, options.fullEvery, Date.now());
  const progress: VerifyProgress = (stage, done, total) => output.progress(stage, done, total);
  limitHeapOfRoutes();
  const elapsed = stopwatch();
  const found = isUrl
    ? liveFindings(
        site,
        await verifyLive(
          {
            url: site,
            key,
            sample: all ? null : (sample ?? usualSample),
            bytesOnly: bytes,
            redirectsTo,
            siteHeaders: headersFor(site, options.headers),
          },
          progress,
        ),
      )
    : folderFindings(
        site,
        await verifySite(site, {
          progress,
          key,
          witness,
          database: db ?? null,
          ...(statementFile === undefined ? {} : { statement: { ownPage: await ownExplorer() } }),
          ...(proof ? { proof } : {}),
        }),
        { database: db, proof: options.proof },
      );
  const seconds = elapsed();
  const { counts, faults, summary, more, statement, proved } = found;
  if (options.proof !== undefined && proved) writeProof(options.proof, proved);
  const ok = counts.faults === 0;
  const lines = ok ? [`${summary}; ${durationText(seconds)}`] : faults.map(formatFault);
  if (ok && statementFile !== undefined) {
    if (!statement) throw new Error('a sound site that was compared has no statement');
    replaceFile(statementFile, (append) => append(`${JSON.stringify(statement, null, 2)}\n`));
    lines.push(`statement: ${statementFile}`);
  }
  const failure = ok
    ? null
    : new Failure('site_damaged', `${site} is faulty: ${faultCount(counts.faults, faults.length)}`);
  return { facts: { ok, counts: { ...counts, seconds }, ...more, faults }, lines, failure };
}

const aboutDatabase = `With --db, the site is rebuilt from scratch, with the base URL, license and choice of
exports that it states, and every byte below /v1 is compared. The same version of
shelfpress must have built it, and the database must have no later publication.
TMPDIR needs room for the site. Not compared are Last-Modified, the explorer (unless
--statement is given), answers kept for readers of earlier publications, and exports
of earlier publications that were built with a different --data-license, which the
summary names.`;

type Findings = {
  readonly counts: { readonly faults: number };
  readonly faults: readonly Fault[];
  readonly summary: string;
  readonly more: {
    readonly why_full?: string | null;
    readonly full_at?: string | null;
    readonly partial?: Verification['partial'];
    readonly rebuilt?: Verification['rebuilt'];
    readonly publication?: Pick<LiveVerification['pointer'], 'revision' | 'sequence' | 'published_at'>;
  };
  readonly statement?: Verification['statement'];
  readonly proved?: Verification['proof'];
};

function liveFindings(url: string, { pointer, counts, faults }: LiveVerification): Findings {
  const { revision, sequence, published_at } = pointer;
  const asked = `${counts.asked} of ${counts.routes} addresses, ${counts.requests} requests, ${sizeText(counts.bytes)}`;
  const summary = `verified ${url}: publication ${sequence}, revision ${revision}; ${asked}`;
  return { counts, faults, summary, more: { publication: { revision, sequence, published_at } } };
}

function folderFindings(
  directory: string,
  { counts, faults, partial, rebuilt, statement, whyFull, proof: proved }: Verification,
  { database, proof }: { readonly database: string | undefined; readonly proof: string | undefined },
): Findings {
  const { routes, objects, bytes, lists, rows, export_records, unnamed_objects, unnamed_checkouts } = counts;
  const read = [
    `${lists} lists walked, ${rows} rows, ${export_records} export records`,
    `${unnamed_objects} unnamed objects, ${unnamed_checkouts} unnamed checkouts`,
  ];
  const summary = partial
    ? `verified ${directory}, a partial mirror: ${routes} of ${partial.route_count} routes, only ${partial.only.join(' ')}; ${objects} objects, ${sizeText(bytes)}`
    : [
        `verified ${directory}: ${routes} routes, ${objects} objects, ${sizeText(bytes)}`,
        ...read,
        ...(proof === undefined ? [] : [knownText(counts, whyFull, proved)]),
      ].join('; ');
  const more = { partial, ...(proof === undefined ? {} : { why_full: whyFull, full_at: proved?.full_at ?? null }) };
  if (rebuilt === null) return { counts, faults, summary, more, proved };
  const { addresses, other_license } = rebuilt;
  const others =
    other_license.length === 0 ? '' : `; exports of publications ${other_license.join(', ')} have a different license`;
  const compared = `${summary}; ${addresses} answers are the same as those from ${database}${others}`;
  return { counts, faults, summary: compared, more: { ...more, rebuilt }, statement, proved };
}

/** Says what a verification with a proof did not check again, or why it checked everything. */
function knownText(
  { known_addresses, known_lists, known_files }: Verification['counts'],
  whyFull: string | null,
  proved: Verification['proof'],
): string {
  if (whyFull !== null) return `checked in full: ${whyFull}`;
  return `known from before: ${known_addresses} addresses, ${known_lists} lists, ${known_files} files; checked in full on ${proved?.full_at}`;
}

function faultCount(total: number, shown: number): string {
  return `${countOf(total, 'fault')}${total > shown ? `, of which the first ${shown} are shown` : ''}`;
}

/** Refuses a path without a site: the path is wrong, and no site is faulty. */
function requireFolder(site: string): void {
  const stats = statSync(site, { throwIfNoEntry: false });
  if (stats?.isDirectory() && [pointerFile, 'objects'].some((name) => existsSync(join(site, name)))) return;
  const got =
    stats === undefined ? 'no such folder' : stats.isDirectory() ? `a folder without ${pointerFile}` : 'a file';
  throw new Failure('site_missing', `${site}: expected the folder of a site, got ${got}`);
}
