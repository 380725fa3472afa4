import type { About } from '../contract/documents/metadata.ts';
import type { Connection } from './connection.ts';
import type { Row } from './versioned-table.ts';

/** What holds from publication `first` to `last`; `last` null while it still does. */
export type AboutSpan = { readonly first: number; readonly last: number | null; readonly about: About };

type Stored = Omit<About, 'license'> & {
  readonly first_publication: number;
  readonly last_publication: number | null;
  readonly license_name: string | null;
  readonly license_url: string | null;
};

/** What was stated up to publication `sequence`, oldest first. */
export function aboutUpTo(connection: Connection, sequence: number): AboutSpan[] {
  return connection
    .prepare<[number], Stored>('SELECT * FROM about_version WHERE first_publication <= ? ORDER BY first_publication')
    .all(sequence)
    .map(({ first_publication, last_publication, title, agency, notice, license_name, license_url, ...rest }) => ({
      first: first_publication,
      last: last_publication,
      about: {
        title,
        agency,
        notice,
        license: license_name === null ? null : { name: license_name, url: license_url },
        ...rest,
      },
    }));
}

/** The columns of `about_version` that hold a statement. */
export function aboutRow({ license, ...rest }: About): Row {
  return { ...rest, license_name: license?.name ?? null, license_url: license?.url ?? null };
}
