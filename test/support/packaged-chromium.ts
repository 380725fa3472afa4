import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { installed } from './installed-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Unpacks the Chromium in an npm package for a check, with the libraries that it needs, if the system has none. */
export function setup({ config }: TestProject): void {
  if (config.env.SHELFPRESS_TESTS !== 'all' || installed('chromium') !== undefined) return;
  const folder = temporaryFolder();
  const unpack = fileURLToPath(new URL('chromium-child.ts', import.meta.url));
  // It unpacks into the folder for temporary files, and unpacks the libraries only if it believes that it runs at
  // Amazon.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const { status, stderr } = spawnSync(process.execPath, [unpack], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`@sparticuz/chromium could not be unpacked: ${stderr}`);
  process.env.SHELFPRESS_CHROMIUM = join(folder, 'chromium');
  process.env.FONTCONFIG_PATH = join(folder, 'fonts');
}
