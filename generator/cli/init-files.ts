import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cut } from '../../contract/schemas/checked-value.ts';
import { copyWithoutLinks, isThere, makeFolder } from '../files/durable-files.ts';
import { countOf, Failure } from '../files/failure.ts';
import { createFile } from '../files/new-file.ts';
import type { FirstDraft } from '../import/draft/first-draft.ts';
import { type PreviewedProduct, previewPage } from '../import/draft/preview.ts';
import type { Question } from '../import/draft/questions.ts';

/** The day in a file's name, or the newest file's day, UTC. */
export function dayOf(files: readonly string[]): string {
  const named = files.flatMap((file) => {
    const [, year, month, day] = /(20\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?!\d)/.exec(basename(file)) ?? [];
    const text = `${year}-${month}-${day}`;
    const isDay = !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
    return isDay ? [text] : [];
  });
  const newest = Math.max(...files.map((file) => statSync(file).mtimeMs));
  return named.sort().at(-1) ?? new Date(newest).toISOString().slice(0, 10);
}

export function copyDelivery(files: readonly string[], folder: string): void {
  if (isThere(folder)) throw new Failure('already_there', `${folder} already exists: move or remove it first`);
  makeFolder(folder);
  for (const file of files) copyWithoutLinks(file, join(folder, basename(file)));
}

export function writePreview(file: string, draft: FirstDraft): void {
  const page = previewPage('What the files would become', draft.products, draft.columns, [
    ...draft.notes,
    ...draft.faults,
  ]);
  createFile(file, (append) => append(page));
}

export function previewLines(products: readonly PreviewedProduct[]): string[] {
  return products.flatMap(({ source, result }) => [
    ...(source.length === 0 ? [] : [`  ${source.map(([, text]) => cut(text)).join(' | ')}`]),
    `  → ${result.map(([title, text]) => (['alcohol', 'name', 'size', 'price'].includes(title) ? text : `${title} ${text}`)).join(', ')}`,
  ]);
}

export function questionLines(left: readonly Question[]): string[] {
  return left.map(({ text, allowed, places }) => {
    const [first] = places;
    const more = places.length > 1 ? ` and ${countOf(places.length - 1, 'more place')}` : '';
    return `  ${text} ${first?.join('.')}${more}: ${allowed}`;
  });
}
