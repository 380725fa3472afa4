import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Source files below a folder, as paths from the root of the repository, in order. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`)
    .sort();
}
