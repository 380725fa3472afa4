import { type Figure, figuresOf } from './figure.ts';
import type { BuildCounts, Exports, Lab } from './lab.ts';
import type { Run } from './measure.ts';
import { floorName, runFloor, type SiteSize } from './native-floor.ts';

type Wanted = { readonly exports: Exports; readonly floor: boolean; readonly incremental: boolean };

/**
 * Builds each of the last publications into a fresh folder, does the same by native tools as far as they can, and also
 * builds it into the site of the previous publication.
 */
export async function buildBenchmark(lab: Lab, { exports, floor, incremental }: Wanted): Promise<Figure[]> {
  const [oldest = '', ...databases] = await lab.databases();
  const standing = lab.workspace.path('standing');
  if (incremental) {
    lab.say(`build --exports ${exports}, the site that incremental builds begin with`);
    for (const database of [...(await lab.earlierDatabases()), oldest]) await lab.build(database, standing, exports);
  }
  const full: (Run & BuildCounts)[] = [];
  const floors: Run[] = [];
  const brought: (Run & BuildCounts)[] = [];
  let size: SiteSize = { files: 0, bytes: 0, ndjsonFiles: 0, ndjsonBytes: 0 };
  for (const [index, database] of databases.entries()) {
    lab.say(`build --exports ${exports}, ${index + 1} of ${databases.length}`);
    const fresh = lab.workspace.path('fresh');
    full.push(await lab.build(database, fresh, exports));
    if (floor) {
      const done = await runFloor(lab, fresh);
      floors.push(done.run);
      size = done.size;
    }
    lab.workspace.remove(fresh);
    if (incremental) brought.push(await lab.build(database, standing, exports));
  }
  lab.workspace.remove(standing);

  const made = `full build --exports ${exports}, ${sizeText(size)}`;
  const written = brought[brought.length - 1]?.written ?? 0;
  const more = `one more publication, --exports ${exports}, ${written.toLocaleString('en-US')} objects written`;
  const amounts = { files: size.files, MB: size.bytes / 1e6 };
  return [
    ...(floor
      ? figuresOf(made, [
          { program: '`build`, from nothing', runs: full, amounts },
          { program: floorName, runs: floors, amounts },
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

function sizeText({ files, bytes, ndjsonFiles, ndjsonBytes }: SiteSize): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const megabytes = (value: number) => `${count(Math.round(value / 1e6))} MB`;
  return `${count(files)} files of ${megabytes(bytes)}, ${count(ndjsonFiles)} of them ${megabytes(ndjsonBytes)} of NDJSON`;
}
