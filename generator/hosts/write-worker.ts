import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { bundleWorker, readWranglerConfig, wranglerTemplate } from './worker-bundle.ts';

const help = `Writes the worker and its configuration into a folder that wrangler deploys from.

Usage: npm run worker -- --out DIR

  --out DIR   the folder; what stands there under the same names is replaced, but for wrangler.jsonc
  --help      print this

Example: npm run worker -- --out worker && cd worker && npx wrangler deploy
`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { out: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) return void process.stdout.write(help);
  if (!values.out) throw new TypeError('expected --out and a folder (see --help)');
  const { main: name } = readWranglerConfig();
  const module = await bundleWorker();
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, name), module);
  copyConfiguration(join(values.out, 'wrangler.jsonc'));
  console.log(
    `wrote ${join(values.out, name)}: ${Buffer.byteLength(module)} bytes, ${gzipSync(module).length} compressed`,
  );
}

/** Copies the configuration. Keeps an existing file, because it names the operator's bucket. */
function copyConfiguration(path: string): void {
  try {
    copyFileSync(wranglerTemplate, path, 1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    console.log(`kept ${path} as it is`);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`worker: ${(error as Error).message}`);
  process.exit(error instanceof TypeError ? 2 : 1);
}
