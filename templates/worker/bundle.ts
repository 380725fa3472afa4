import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../../shim/edge/worker.ts', import.meta.url));

/** The worker as one module, which Cloudflare's runtime takes as it stands. `banner`: statements to run before it. */
export async function bundleWorker(banner = ''): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    conditions: ['workerd', 'worker'],
    // Names stay, so that a stack trace in a log can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'eof',
    banner: { js: banner },
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
