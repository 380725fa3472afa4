import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ExplorerBundle } from '../generator/page/explorer-files.ts';
import type { Program } from './program.ts';
import { numberRow, type Row } from './report.ts';
import type { Bench } from './run.ts';

/** What browsers load, compressed with gzip. */
export function browserRows({ programs }: Bench): Row[] {
  const sizes = programs.map(sizesOf);
  return Object.keys(sizes[0] ?? {}).map((what) =>
    numberRow(
      what,
      'KB, gzip',
      sizes.map((of) => of[what] ?? Number.NaN),
    ),
  );
}

/** The sizes, in bytes, of what a package contains for browsers. */
function sizesOf({ folder }: Program): Record<string, number> {
  const names = readdirSync(join(folder, 'lib/client')).filter((name) => name.endsWith('.js'));
  const client = names.map((name) => ({ name, text: readFileSync(join(folder, 'lib/client', name), 'utf8') }));
  const explorer = JSON.parse(readFileSync(join(folder, 'lib/explorer.json'), 'utf8')) as ExplorerBundle;
  const { script, style, views, files } = explorer;
  const first = new Set([script, style, ...(views.home ?? [])]);
  return {
    'the client at first': kilobytes(partOf(client, ['open-site'])),
    'the client with its search': kilobytes(partOf(client, ['open-site', 'search'])),
    'the client with its comparison': kilobytes(partOf(client, ['open-site', 'comparison'])),
    'the explorer at first: script, style and home': kilobytes(files.filter(({ name }) => first.has(name))),
    'all views of the explorer': kilobytes(files),
  };
}

type File = { readonly name: string; readonly text: string };

/** The modules with these names, and all modules that they import at once. */
function partOf(files: readonly File[], names: readonly string[]): Set<File> {
  const isNamed = (file: string) => names.some((name) => file === `${name}.js` || file.startsWith(`${name}-`));
  const found = new Set(files.filter(({ name }) => isNamed(name)));
  for (const { text } of found) {
    const imported = [...text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)].map(([, name]) => name);
    for (const file of files) if (imported.includes(file.name)) found.add(file);
  }
  return found;
}

function kilobytes(files: Iterable<File>): number {
  return [...files].reduce((sum, { text }) => sum + gzipSync(text).length, 0) / 1000;
}
