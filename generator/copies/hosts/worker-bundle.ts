import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packageFolder } from '../../files/package-files.ts';

const entry = fileURLToPath(new URL('shim/worker/worker.ts', packageFolder));

/** One module that Cloudflare's runtime can load. `banner`: statements to run before it. */
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
