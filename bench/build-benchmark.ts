import { beforeAndNow } from './before-and-now.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { BuildCounts, Exports, Lab } from './lab.ts';
import type { Run } from './measure.ts';
import { type Floors, floorName, floorWithTablesName, runFloor, type SiteSize } from './native-floor.ts';

export const plainDocuments = new URL('./plain-documents.ts', import.meta.url);

type Wanted = { readonly exports: Exports; readonly floor: boolean; readonly incremental: boolean };

/**
 * Builds each of the last publications into a fresh folder, does the same with native tools as far as they can, and
 * also builds it into the site of the previous publication. `before` is another tree of the project, which builds
 * alternately.
 */
export async function buildBenchmark(
  lab: Lab,
  before: Lab | null,
  { exports, floor, incremental }: Wanted,
): Promise<Figure[]> {
  const [now, other] = [
    await builder(lab, exports, incremental),
    before && (await builder(before, exports, incremental)),
  ];
  const floors: Floors[] = [];
  const plain: Run[] = [];
  let size: SiteSize = { files: 0, bytes: 0, ndjsonFiles: 0, ndjsonBytes: 0 };
  const last = (await lab.databases()).length - 1;
  for (let index = 1; index <= last; index += 1) {
    lab.say(`build --exports ${exports}, ${index} of ${last}`);
    const fresh = await now.buildFresh(index);
    if (floor) {
      const done = await runFloor(lab, fresh);
      floors.push(done);
      size = done.size;
      const out = lab.workspace.path('documents');
      plain.push(await lab.run(lab.program.script(plainDocuments, (await lab.databases())[index] ?? '', out)));
      lab.workspace.remove(out);
    }
    lab.workspace.remove(fresh);
    if (other) lab.workspace.remove(await other.buildFresh(index));
    for (const one of incremental ? [now, other] : []) await one?.buildOn(index);
  }
  for (const one of [now, other]) one?.end();

  const { full, brought } = now;
  const made = `full build --exports ${exports}, ${sizeText(size)}`;
  const written = brought[brought.length - 1]?.written ?? 0;
  const more = `one more publication, --exports ${exports}, ${written.toLocaleString('en-US')} objects written`;
  const amounts = { files: size.files, MB: size.bytes / 1e6 };
  return [
    ...(floor
      ? figuresOf(made, [
          { program: '`build`, from nothing', runs: full, amounts },
          { program: floorName, runs: floors.map(({ run }) => run), amounts },
          { program: floorWithTablesName, runs: floors.map(({ withTables }) => withTables) },
          { program: 'a plain script: rows to JSON, `p-map` 16', runs: plain },
        ])
      : []),
    ...(floor ? beforeAndNow(made, other?.full ?? [], full) : []),
    ...(incremental
      ? figuresOf(more, [
          { program: '`build`, of what is new', runs: brought },
          { program: '`build`, from nothing', runs: full },
        ])
      : []),
    ...(incremental ? beforeAndNow(more, other?.brought ?? [], brought) : []),
  ];
}

/** Builds the last publications of a lab, each into a fresh folder and, if wanted, into an existing site. */
async function builder(lab: Lab, exports: Exports, hasStanding: boolean) {
  const databases = await lab.databases();
  const standing = lab.workspace.path('standing');
  if (hasStanding) {
    lab.say(`build --exports ${exports}, the site that incremental builds begin with`);
    const earlier = [...(await lab.earlierDatabases()), ...databases.slice(0, 1)];
    for (const database of earlier) await lab.build(database, standing, exports);
  }
  const full: (Run & BuildCounts)[] = [];
  const brought: (Run & BuildCounts)[] = [];
  const at = (index: number) => databases[index] ?? '';
  return {
    full,
    brought,
    buildFresh: async (index: number): Promise<string> => {
      const fresh = lab.workspace.path('fresh');
      full.push(await lab.build(at(index), fresh, exports));
      return fresh;
    },
    buildOn: async (index: number) => brought.push(await lab.build(at(index), standing, exports)),
    end: () => lab.workspace.remove(standing),
  };
}

function sizeText({ files, bytes, ndjsonFiles, ndjsonBytes }: SiteSize): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const megabytes = (value: number) => `${count(Math.round(value / 1e6))} MB`;
  return `${count(files)} files of ${megabytes(bytes)}, ${count(ndjsonFiles)} of them ${megabytes(ndjsonBytes)} of NDJSON`;
}
