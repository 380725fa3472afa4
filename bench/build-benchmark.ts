import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, figuresOf } from './figure.ts';
import type { BuildCounts, Exports, Lab } from './lab.ts';
import type { Run } from './measure.ts';

type Wanted = { readonly exports: Exports; readonly copy: boolean; readonly incremental: boolean };
type Size = { readonly files: number; readonly MB: number };

/**
 * Builds each of the last publications into a fresh folder, copies the files of that site, and also builds it into the
 * site of the previous publication.
 */
export async function buildBenchmark(lab: Lab, { exports, copy, incremental }: Wanted): Promise<Figure[]> {
  const [oldest = '', ...databases] = await lab.databases();
  const standing = lab.workspace.path('standing');
  if (incremental) {
    lab.say(`build --exports ${exports}, the site that incremental builds begin with`);
    await lab.build(oldest, standing, exports);
  }
  const full: (Run & BuildCounts)[] = [];
  const copied: Run[] = [];
  const brought: (Run & BuildCounts)[] = [];
  let size: Size = { files: 0, MB: 0 };
  for (const [index, database] of databases.entries()) {
    lab.say(`build --exports ${exports}, ${index + 1} of ${databases.length}`);
    const fresh = lab.workspace.path('fresh');
    full.push(await lab.build(database, fresh, exports));
    if (copy) {
      const target = lab.workspace.path('copy');
      copied.push(await lab.run(['cp', '-rL', join(fresh, 'site'), target]));
      size = sizeOf(realpathSync(join(fresh, 'site')));
      lab.workspace.remove(target);
    }
    lab.workspace.remove(fresh);
    if (incremental) brought.push(await lab.build(database, standing, exports));
  }
  lab.workspace.remove(standing);

  const resources = full[full.length - 1]?.resources ?? 0;
  const made = `full build --exports ${exports}, ${resources.toLocaleString('en-US')} files`;
  const written = brought[brought.length - 1]?.written ?? 0;
  const more = `one more publication, --exports ${exports}, ${written.toLocaleString('en-US')} objects written`;
  return [
    ...(copy
      ? figuresOf(made, [
          { program: '`build`, from nothing', runs: full, amounts: size },
          { program: '`cp -rL` of its checkout', runs: copied, amounts: size },
        ])
      : []),
    ...(incremental
      ? figuresOf(more, [
          { program: '`build`, of what is new', runs: brought },
          { program: '`build`, from nothing', runs: full },
        ])
      : []),
  ];
}

function sizeOf(folder: string): Size {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = entries.reduce((sum, { path, name }) => sum + statSync(join(path, name)).size, 0);
  return { files: entries.length, MB: bytes / 1e6 };
}
