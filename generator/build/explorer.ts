import { htmlMediaType, jsonMediaType, scriptMediaType, styleMediaType } from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import { type ExplorerAssets, explorerPage } from '../resources/explorer-page.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The page for people: what it loads first, and all its files by name, with their text. */
export type ExplorerParts = ExplorerAssets & {
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

/** What a file of the page is, by its extension. */
const kinds: Readonly<
  Record<
    string,
    { readonly kind: 'explorer_script' | 'explorer_style' | 'explorer_outline'; readonly mediaType: string }
  >
> = {
  js: { kind: 'explorer_script', mediaType: scriptMediaType },
  css: { kind: 'explorer_style', mediaType: styleMediaType },
  json: { kind: 'explorer_outline', mediaType: jsonMediaType },
};

/** Writes the page for people and its files. Their names are hashes of their content, so they never change. */
export function writeExplorer(writer: DocumentWriter, explorer: ExplorerParts): void {
  for (const { name, text } of explorer.files) {
    const [asset = '', extension = ''] = name.split('.');
    const made = kinds[extension];
    if (made === undefined) throw new Error(`expected a file of the page for people, got ${name}`);
    writer.writeBytes(Buffer.from(text), {
      path: pathOf(made.kind, { asset }),
      mediaType: made.mediaType,
      encoding: null,
      cache: 'immutable',
      since: null,
    });
  }
  writer.writeBytes(explorerPage(writer.state, explorer), {
    path: pathOf('explorer'),
    mediaType: htmlMediaType,
    encoding: null,
    cache: 'revalidate',
    since: null,
  });
}
