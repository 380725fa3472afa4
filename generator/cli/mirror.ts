import { type Command, InvalidArgumentError } from 'commander';
import { wings } from '../assembly/wings.ts';
import { type MirrorSummary, mirrorSite } from '../copies/mirror/mirror.ts';
import { countOf } from '../files/failure.ts';
import type { Storage } from '../site/storage.ts';
import { type Output, withExample } from '../terminal/output.ts';
import { durationText, publicationText, sizeText, stopwatch } from '../terminal/texts.ts';
import { readPublicKey } from '../trust/keys.ts';
import {
  collect,
  headersFor,
  headersOption,
  limitHeapOfRoutes,
  noticeCopies,
  parseSiteUrl,
  redirectOption,
} from './options.ts';
import { addWingOptions } from './wing-options.ts';

type Options = {
  only?: string[];
  key?: string;
  maxBytes?: number;
  allowRedirectsTo?: readonly string[];
  headers?: string;
  force: boolean;
};

export function defineMirror(command: Command, output: Output): void {
  command
    .argument('<url>', 'public root of the site, with or without /v1', parseSiteUrl)
    .argument('<dir>', 'folder of the mirror')
    .option('--only <what>', 'mirror only a part: exports, or a pattern of addresses; repeatable', collect)
    .option('--key <file>', 'public key that must have signed the pointer')
    .option('--force', 'accept an older publication or another site, and check every existing object', false);
  addWingOptions(command, 'mirror');
  command
    .option('--max-bytes <count>', 'refuse a site that is larger in total (default: 256G)', parseByteCount)
    .addOption(redirectOption())
    .addOption(headersOption())
    .option('--json', 'print the summary as one JSON object', false)
    .action(async (url: string, directory: string, options: Options) => {
      const { only = null, key: keyFile, maxBytes, allowRedirectsTo: redirectsTo, force } = options;
      const key = keyFile === undefined ? null : readPublicKey(keyFile);
      const elapsed = stopwatch();
      limitHeapOfRoutes();
      const siteHeaders = headersFor(url, options.headers);
      const complete = async (storage: Storage) => {
        for (const wing of wings) await wing.completeMirror?.(storage, options);
      };
      const summary = await mirrorSite(
        { url, directory, only, key, force, maxBytes, redirectsTo, siteHeaders, complete },
        (stage, done, of) => output.progress(stage, done, of),
      );
      const seconds = elapsed();
      const facts = { ...mirrorFacts(summary), signed_by: key?.fingerprint ?? null, seconds };
      noticeCopies(directory, summary.lacking, output);
      output.result(facts, mirrorLines(summary, directory, seconds));
    });
  withExample(command, "shelfpress mirror https://example.org/v1 mirror --only exports --only '/v1/products/by-sku/*'");
}

function mirrorFacts({ pointer, holding, ...counts }: MirrorSummary) {
  const { revision, sequence, published_at } = pointer;
  const { only, routes, route_count } = holding;
  const { changed, requests, downloaded, downloadedBytes: bytes, kept, deleted } = counts;
  const publication = { revision, sequence, published_at };
  return { ...publication, changed, only, routes, route_count, requests, downloaded, bytes, kept, deleted };
}

function mirrorLines(summary: MirrorSummary, directory: string, seconds: number): string[] {
  const { pointer, holding, changed, requests, downloaded, downloadedBytes, kept, deleted } = summary;
  const { only, routes, route_count } = holding;
  const publication = publicationText(pointer);
  const cost = `${countOf(requests, 'request')}; ${durationText(seconds)}`;
  const held = only === null ? [] : [`partial mirror: ${routes} of ${route_count} resources, only ${only.join(' ')}`];
  if (!changed) return [`nothing new: ${directory} holds ${publication}`, ...held, cost];
  const moved = `${downloaded} objects downloaded (${sizeText(downloadedBytes)}), ${kept} kept, ${deleted} deleted`;
  return [`mirrored ${publication}, to ${directory}`, ...held, `${routes} resources: ${moved}; ${cost}`];
}

/** Parses a number of bytes. The suffixes K, M, G and T mean KiB, MiB, GiB and TiB. */
function parseByteCount(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15})([KMGT]?)$/.exec(text) ?? [];
  const bytes = Number(digits) * 1024 ** ' KMGT'.indexOf(unit || ' ');
  if (digits === '' || bytes < 1 || !Number.isSafeInteger(bytes)) {
    throw new InvalidArgumentError(`expected a number of bytes such as 500000000 or 500M, got ${text}`);
  }
  return bytes;
}
