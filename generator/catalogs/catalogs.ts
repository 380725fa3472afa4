import type { Storage } from '../site/storage.ts';
import { parseEngineSite, parseEngineUrl } from './engine-url.ts';

/**
 * The wing of catalogs helps others to find and read a site's tables: descriptions for search engines, portals and data
 * tools, tables of Apache Iceberg, and the deposit for an archive.
 */
export const catalogs = {
  contents: () => import('./contents.ts'),
  checks: () => import('./checks.ts'),
  completeMirror: async (storage: Storage, { icebergLocation }: { readonly icebergLocation?: unknown }) => {
    if (typeof icebergLocation !== 'string') return;
    const { writeIcebergTables } = await import('./iceberg-copy.ts');
    writeIcebergTables(storage, icebergLocation);
  },
  commands: {
    deposit: {
      group: 'Copy it',
      summary: 'write the files of a publication with the metadata of an archive such as Zenodo',
      load: async () => (await import('./deposit-command.ts')).defineDeposit,
    },
  },
  options: {
    build: [
      {
        flags: '--iceberg <url>',
        description:
          'also write Iceberg tables over the Parquet files, for engines that find the site at this URL, such as s3://bucket/site',
        parse: parseEngineSite,
        isChoice: true,
      },
    ],
    mirror: [
      {
        flags: '--iceberg-location <url>',
        description:
          "write the site's Iceberg tables to DIR/iceberg too, for engines that find DIR at this URL, such as file:///srv/mirror",
        parse: parseEngineUrl,
      },
    ],
  },
  settings: [
    {
      member: 'iceberg',
      type: 'text',
      meaning: 'the URL at which engines find the site, such as `s3://bucket/site`, for Iceberg tables; default none',
      flag: '--iceberg <url>',
      gives: { build: '--iceberg' },
    },
  ],
} as const;
