import { pageSize, segmentSize } from '../../contract/pages.ts';
import type { WarningCode } from '../../contract/warnings.ts';
import { type ChangeList, expiredPagesDocument, headDocument, sealedPageDocument } from '../documents/change-list.ts';
import {
  indexDocument,
  indexLayout,
  numbers,
  type Summary,
  segmentDocument,
  summarizePage,
  summarizeSegment,
} from '../documents/page-index.ts';
import type { DocumentWriter } from './document-writer.ts';

/** Writes a list with all its pages and segments. */
export function writeChanges(writer: DocumentWriter, list: ChangeList, warnings: readonly WarningCode[]): void {
  const { firstSegment, lastSegment, firstLoosePage, lastPage } = indexLayout(writer.state, list);
  const segments = numbers(firstSegment, lastSegment).map((number) => writeSegment(writer, list, number));
  writeHead(writer, list, segments, writePages(writer, list, firstLoosePage, lastPage), warnings);
}

/** Writes a segment and its pages. Returns its summary. */
export function writeSegment(writer: DocumentWriter, list: ChangeList, number: number): Summary {
  const pages = writePages(writer, list, (number - 1) * segmentSize + 1, number * segmentSize);
  if (!writer.keeps([list.listPaths.segment(number)])) {
    writer.write([segmentDocument(writer.state, list, number, pages)]);
  }
  return summarizeSegment(number, pages);
}

/** Writes the retained pages of a run of sealed pages. Returns the summaries of all of them. */
export function writePages(writer: DocumentWriter, list: ChangeList, first: number, last: number): Summary[] {
  const { state } = writer;
  const { firstPage } = indexLayout(state, list);
  return numbers(first, last).map((number) => {
    const events = list.events((number - 1) * pageSize + 1, number * pageSize);
    if (number >= firstPage && !writer.keeps([list.listPaths.page(number)])) {
      writer.write([sealedPageDocument(state, { ...list, events: () => events }, writer, number)]);
    }
    return summarizePage(number, events, state.publicationAt);
  });
}

/** Summarises sealed pages from the log. */
export function summarizePages({ state }: DocumentWriter, list: ChangeList, pages: readonly number[]): Summary[] {
  return pages.map((number) =>
    summarizePage(number, list.events((number - 1) * pageSize + 1, number * pageSize), state.publicationAt),
  );
}

/** Writes the head of a list, the answer of its expired pages, and its index once it has a sealed page. */
export function writeHead(
  writer: DocumentWriter,
  list: ChangeList,
  segments: readonly Summary[],
  loosePages: readonly Summary[],
  warnings: readonly WarningCode[],
): void {
  const { state } = writer;
  const expired = expiredPagesDocument(state, list);
  if (expired) writer.write([expired]);
  writer.write([headDocument(state, list, writer, warnings)]);
  if (indexLayout(state, list).lastPage > 0) writer.write([indexDocument(state, list, segments, loosePages, writer)]);
}
