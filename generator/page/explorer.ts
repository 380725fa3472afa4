import { hash } from 'node:crypto';
import type { LazyExplorer, Whereabouts } from '../units/explorer.ts';
import { isOutlineFile, noOutline } from './outline-choice.ts';

export const explorer = {
  contents: () => import('./explorer-unit.ts'),
  makePackageFiles: bundledExplorer,
  explorer: { chosen: chosenExplorer, own: ownExplorer },
  options: {
    build: [
      { flags: '--no-explorer', description: 'leave out the explorer, the web page for people' },
      {
        flags: '--outline <area>',
        description:
          "borders on the explorer's maps: a country or US state, a GeoJSON file, or none; by default they follow from the stores",
        conflicts: 'explorer',
      },
    ],
  },
  settings: [
    {
      member: 'outline',
      type: 'text',
      meaning:
        "the borders on the explorer's maps: a country or US state, such as `NO` or `US-UT`, a GeoJSON file, or `none`; by default they follow from the stores",
      flag: '--outline <area>',
      isPath: true,
      isFile: true,
      isPathIn: isOutlineFile,
      gives: { build: '--outline' },
    },
    {
      member: 'explorer',
      type: 'boolean',
      meaning: '`false` leaves out the explorer, the web page for people',
      gives: { build: '--no-explorer' },
    },
  ],
} as const;

type Options = { readonly explorer?: unknown; readonly outline?: unknown };

/** The explorer that the options of `build` ask for: with the chosen borders, or with borders of the stores' area. */
async function chosenExplorer(
  { explorer: isWanted = true, outline }: Options,
  isGiven: (name: string) => boolean,
): Promise<LazyExplorer | null> {
  // An outline on the command line asks for the explorer, even if the settings leave it out.
  if (isWanted === false && !isGiven('outline')) return null;
  // The borders of all countries are loaded only when needed.
  const load = () => import('./outline.ts');
  const area = typeof outline === 'string' ? outline : null;
  const chosen = area === null || area === noOutline ? null : (await load()).chosenOutline(area);
  const { explorerDigest, readExplorer } = await import('./explorer-files.ts');
  return {
    digest: `${explorerDigest()} ${chosen?.name ?? area ?? 'stores'}`,
    make: async (whereabouts) => {
      const made = await readExplorer();
      if (area === noOutline) return made;
      const { areaOutline, withOutline } = await load();
      return withOutline(made, chosen ?? areaOutline(storeAreas(whereabouts)));
    },
  };
}

/** A package has this bundle instead of a bundler. */
async function bundledExplorer() {
  const [{ bundleExplorer }, { explorerBundleFile }] = await Promise.all([
    import('./explorer-bundle.ts'),
    import('./explorer-files.ts'),
  ]);
  return new Map([[explorerBundleFile, JSON.stringify(await bundleExplorer())]]);
}

async function ownExplorer() {
  const [{ readExplorer }, { withOutline }] = await Promise.all([
    import('./explorer-files.ts'),
    import('./outline.ts'),
  ]);
  const made = await readExplorer();
  return {
    sha256: hash('sha256', JSON.stringify(made)),
    withOutline: (outline: Parameters<typeof withOutline>[1]) => withOutline(made, outline),
  };
}

/** A region that is not a US state, as in invented data, has no borders on its map. */
function storeAreas({ country, regions }: Whereabouts): readonly string[] {
  return country === 'US' ? regions.map((region) => `US-${region}`) : [country];
}
