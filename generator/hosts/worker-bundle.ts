import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { explainFile } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

const entry = fileURLToPath(new URL('../../shim/worker/worker.ts', import.meta.url));

/** The worker as one module that Cloudflare's runtime can load. `banner`: statements to run before it. */
export async function bundleWorker(banner = ''): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    conditions: ['workerd', 'worker'],
    // Names are not minified, so that stack traces in a log stay readable.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    banner: { js: banner },
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

/** The configuration that an operator edits. */
export const wranglerTemplate = new URL('../../templates/worker/wrangler.jsonc', import.meta.url);

/** The part of the configuration that the project itself reads. */
export type WranglerConfig = {
  readonly main: string;
  readonly compatibility_date: string;
  readonly r2_buckets: readonly [{ readonly binding: string; readonly bucket_name: string }];
  readonly ratelimits: readonly [
    { readonly name: string; readonly simple: { readonly limit: number; readonly period: 10 | 60 } },
  ];
  readonly vars: Readonly<Record<string, string>>;
};

/** Reads the configuration. Drops the comments, which have lines of their own. */
export function readWranglerConfig(): WranglerConfig {
  const text = readFileSync(wranglerTemplate, 'utf8');
  return JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as WranglerConfig;
}

/**
 * Writes the worker and its configuration into a folder. Resolves to their paths and sizes. `isKept`: the configuration
 * was there already, and names the operator's bucket. Throws a Failure when the system refuses it.
 */
export async function writeWorker(out: string) {
  const module = join(out, readWranglerConfig().main);
  const configuration = join(out, 'wrangler.jsonc');
  const text = await bundleWorker();
  explainFile(out, 'a folder that can be written', () => mkdirSync(out, { recursive: true }));
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
