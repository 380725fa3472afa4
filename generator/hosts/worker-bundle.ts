import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

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
