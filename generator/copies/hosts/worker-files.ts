import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { makeFolder, replaceFile } from '../../files/durable-files.ts';
import { isCompiled, packageFolder } from '../../files/package-files.ts';

const wranglerTemplate = new URL('templates/worker/wrangler.jsonc', packageFolder);

type WranglerConfig = {
  readonly main: string;
  readonly compatibility_date: string;
  readonly r2_buckets: readonly [{ readonly binding: string; readonly bucket_name: string }];
  readonly ratelimits: readonly [
    {
      readonly name: string;
      readonly namespace_id: string;
      readonly simple: { readonly limit: number; readonly period: 10 | 60 };
    },
  ];
  readonly vars: Readonly<Record<string, string>>;
};

/** Comments in the configuration have their own lines, and are dropped. */
export function readWranglerConfig(): WranglerConfig {
  const text = readFileSync(wranglerTemplate, 'utf8');
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as WranglerConfig;
}

/**
 * Writes the worker and its configuration into a folder. Resolves to their paths and sizes. `isKept`: the configuration
 * existed, and names the operator's bucket. Throws a Failure if the system refuses it.
 */
export async function writeWorker(out: string) {
  const module = join(out, readWranglerConfig().main);
  const configuration = join(out, 'wrangler.jsonc');
  makeFolder(out);
  const text = await workerModule();
  replaceFile(module, (append) => append(text));
  const isKept = existsSync(configuration);
  if (!isKept) replaceFile(configuration, (append) => append(readFileSync(wranglerTemplate)));
  return {
    module,
    bytes: Buffer.byteLength(text),
    compressedBytes: gzipSync(text).length,
    configuration,
    isKept,
  };
}

/** An installed package has no bundler, so it contains the module ready-made. */
async function workerModule(): Promise<string> {
  if (isCompiled) return readFileSync(new URL('lib/worker.js', packageFolder), 'utf8');
  const { bundleWorker } = await import('./worker-bundle.ts');
  return bundleWorker();
}
