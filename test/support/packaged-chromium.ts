import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesKey } from './code-key.ts';
import { madeOnceSync } from './made-once.ts';

/** The Chromium in an npm package, with the libraries and fonts that it needs beside it. */
export function packagedChromium(): string {
  return join(madeOnceSync('chromium', unpack, packagesKey()), 'chromium');
}

function unpack(folder: string): void {
  mkdirSync(folder);
  const program = fileURLToPath(new URL('chromium-child.ts', import.meta.url));
  // It unpacks into the folder for temporary files, and unpacks the libraries only if it believes that it runs at
  // Amazon.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`@sparticuz/chromium could not be unpacked: ${stderr}`);
}
