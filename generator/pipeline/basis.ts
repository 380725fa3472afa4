import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';

/** What documents depend on beyond the database: this program's text, the versions of its packages, and the base URL. */
export function basisOf(baseUrl: string | null): string {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const files = fastGlob
    .sync(['generator/**/*.{ts,mjs}', 'package-lock.json'], {
      cwd: folder,
      ignore: ['bundle', 'commands', 'deploy', 'publish', 'hosts', 'follow', 'mirror', 'remote', 'trust'].map(
        (folder) => `generator/${folder}/**`,
      ),
    })
    .sort();
  const texts = files.map((file) => `${file}\0${hash('sha256', readFileSync(folder + file))}`);
  return hash('sha256', [baseUrl ?? '', ...texts].join('\n'));
}
