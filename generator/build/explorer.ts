import { htmlMediaType, scriptMediaType, styleMediaType } from '../contract/headers.ts';
import { pathOf } from '../contract/paths.ts';
import { type ExplorerAssets, explorerPage } from '../resources/explorer-page.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The page for people: what it loads first, and all its files by name, with their text. */
export type ExplorerParts = ExplorerAssets & {
  readonly files: readonly { readonly name: string; readonly text: string }[];
};

/** Writes the page for people and its files. Their names are hashes of their content, so they never change. */
export function writeExplorer(writer: DocumentWriter, explorer: ExplorerParts): void {
  for (const { name, text } of explorer.files) {
    const [asset = '', extension] = name.split('.');
    const isScript = extension === 'js';
    writer.writeBytes(Buffer.from(text), {
      path: isScript ? pathOf('explorer_script', { asset }) : pathOf('explorer_style', { asset }),
      mediaType: isScript ? scriptMediaType : styleMediaType,
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
