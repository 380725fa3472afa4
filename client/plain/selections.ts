import type { FeedPosition, RowPosition } from '../../contract/schemas/pages.ts';
import { type ChangesKind, selectChanges } from '../../shim/lists/change-feed.ts';
import { selectBrands } from '../../shim/lists/name-rows.ts';
import { splitTarget } from '../../shim/problems.ts';
import { readQuery, readQueryIn } from '../../shim/query.ts';
import type { Page } from '../row-list.ts';
import type { AskOptions } from '../runtime.ts';
import type { SiteReader } from '../site-reader.ts';
import { inOnePublication } from './one-publication.ts';

type SelectedPage = Page<unknown, unknown>;

/** The pages of a selection, with as many rows each as the service gives. */
export async function* selectedPages(
  reader: SiteReader,
  kind: ChangesKind | 'brands',
  target: string,
  options: AskOptions,
): AsyncGenerator<SelectedPage> {
  if (kind === 'brands') yield* await brandPages(reader, target, options);
  else yield* changePages(reader, kind, target, options);
}

/** All pages at once: they come from one index, which may have another order in the next publication. */
function brandPages(reader: SiteReader, target: string, options: AskOptions): Promise<SelectedPage[]> {
  const [, text] = splitTarget(target);
  return inOnePublication(reader, target, options, async (files) => {
    const query = readQuery('brands', text);
    const pages: SelectedPage[] = [];
    const selectFrom = (position: RowPosition | null) => selectBrands(files, query, position);
    for (let selection = await selectFrom(null); ; selection = await selectFrom(selection.next)) {
      pages.push(toPage(selection));
      if (selection.next === null) return pages;
    }
  });
}

function toPage({ rows, meta }: { readonly rows: readonly string[]; readonly meta: unknown }): SelectedPage {
  return { data: JSON.parse(`[${rows.join()}]`), meta };
}

/** A feed only grows at the front, so a reader in the middle of it can continue in a later publication. */
async function* changePages(
  reader: SiteReader,
  kind: ChangesKind,
  target: string,
  options: AskOptions,
): AsyncGenerator<SelectedPage> {
  const [path, text] = splitTarget(target);
  const selectFrom = (position: FeedPosition | null) =>
    inOnePublication(reader, target, options, async (files) => {
      return selectChanges(files, { path, query: await readQueryIn(files, kind, text) }, position);
    });
  for (let selection = await selectFrom(null); ; selection = await selectFrom(selection.next)) {
    yield toPage(selection);
    if (selection.next === null) return;
  }
}
