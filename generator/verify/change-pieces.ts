import type { ChangeEvent } from '../contract/documents/change.ts';
import {
  type ChangePieces,
  type ChangeRecord,
  changeFieldDescriptions,
  changeRecord,
  changeRecordOf,
  eventsOfPiece,
} from '../contract/formats/change-pieces.ts';
import { pageOfEvent, pageSize, segmentSize } from '../contract/formats/page-index.ts';
import type { ObjectReference, Route } from '../contract/formats/site.ts';
import { objectPath, parsePath, pathOf } from '../contract/paths.ts';
import { parseText, type SchemaProblem, schemaProblems } from '../site/checked-json.ts';
import { checkValidators } from '../site/checked-table.ts';
import { shown } from '../site/fault.ts';
import { BrokenLines, gzipLines } from '../site/gzip-lines.ts';
import { type CheckContext, documentAt, type SiteUnderCheck } from './documents.ts';
import type { RecordCheck } from './exports.ts';
import { indexOfAllChanges } from './page-index.ts';
import type { Tables } from './tables.ts';

/**
 * Checks the change history as files: a piece for each segment of the list of all changes, with the events of its pages
 * as records in the same order. Returns the number of records.
 */
export async function checkChangePieces(
  { files, ledger, progress }: CheckContext,
  site: SiteUnderCheck,
  tables: Tables,
): Promise<number> {
  const path = pathOf('change_pieces');
  const document = documentAt<ChangePieces>(site, path);
  if (document === null) return 0;
  checkLayout(site, path, document);
  let records = 0;
  for (const [done, piece] of document.pieces.entries()) {
    const route = site.table.find(pathOf('change_piece', { number: String(piece.number) }));
    if (typeof route === 'string') continue;
    progress('reading the change history', done, document.pieces.length);
    const object = ledger.check(route.sha256, route.path);
    if (object === null) continue;
    checkValidators(route, object, site.faults);
    checkFile(site, piece.number, piece, route);
    const twin = site.table.find(pathOf('change_piece_parquet', { number: String(piece.number) }));
    if (typeof twin !== 'string') checkFile(site, piece.number, piece.parquet, twin);
    const found = await readPiece(
      site,
      files.locate(objectPath(route.sha256)),
      { ...route, size: object.size },
      piece.number,
      tables.checkOfPiece(piece.number),
    );
    records += found;
  }
  return records;
}

/** Checks that there is a piece for each segment of the page index, and that no other piece has an address. */
function checkLayout(site: SiteUnderCheck, path: string, { pieces, fields, after, parquet }: ChangePieces): void {
  const add = (expected: string, got: string) => site.faults.add('piece_mismatch', path, expected, got);
  const index = indexOfAllChanges(site);
  if (JSON.stringify(fields) !== JSON.stringify(changeFieldDescriptions)) add('the columns of its records', 'others');
  const checkAddress = (expected: string, url: string, what: string) => {
    if (site.addresses.pathOf(url) !== expected) add(`url ${expected} of ${what}`, url);
  };
  checkAddress(pathOf('changes_parquet'), parquet.url, 'all pieces');
  checkAddress(pathOf('newest_changes_parquet'), parquet.newest_url, 'the events after them');
  for (const [i, piece] of pieces.entries()) {
    const { number, first_event, last_event, retrieved, published } = piece;
    checkAddress(pathOf('change_piece', { number: String(number) }), piece.url, `piece ${number}`);
    checkAddress(pathOf('change_piece_parquet', { number: String(number) }), piece.parquet.url, `piece ${number}`);
    const { first, last } = eventsOfPiece(number);
    if (first_event !== first || last_event !== last) {
      add(`events ${first} to ${last} in piece ${number}`, `${first_event} to ${last_event}`);
    }
    const segment = index?.segments[i];
    const expected = segment && [segment.number, segment.retrieved, segment.published];
    const got = [number, retrieved, published];
    if (index && JSON.stringify(expected) !== JSON.stringify(got))
      add(`piece ${i + 1} as segment ${shown(expected)}`, shown(got));
  }
  if (index && pieces.length !== index.segments.length) {
    add(`${index.segments.length} pieces, as there are segments`, String(pieces.length));
  }
  const last = pieces.at(-1);
  if (last && after.first_event !== last.last_event + 1)
    add(`to go on after ${last.last_event}`, String(after.first_event));
  if (!last && index && after.first_page !== index.first_page)
    add(`to go on with page ${index.first_page}, the first one that is retained`, String(after.first_page));
  if ((after.first_page - 1) * pageSize + 1 !== after.first_event) {
    add(`page ${pageOfEvent(after.first_event)} for event ${after.first_event}`, String(after.first_page));
  }
  const listed = new Set(pieces.map(({ number }) => String(number)));
  for (const address of site.table.routes.keys()) {
    const parsed = parsePath(address);
    const isPiece = parsed?.kind === 'change_piece' || parsed?.kind === 'change_piece_parquet';
    if (!isPiece || listed.has(parsed.parameters.number ?? '')) continue;
    site.faults.add('piece_mismatch', address, `a piece that ${path} lists`, 'one it does not');
  }
}

function checkFile({ faults }: SiteUnderCheck, number: number, stated: ObjectReference, route: Route): void {
  const wrong = (['sha256', 'size'] as const).find((name) => stated[name] !== route[name]);
  if (wrong === undefined) return;
  const expected = `piece ${number} with ${wrong} ${shown(route[wrong])}`;
  faults.add('piece_mismatch', pathOf('change_pieces'), expected, shown(stated[wrong]));
}

/**
 * Reads a piece line by line and compares it with the pages of its events. Pages past retention have no events to
 * compare.
 */
async function readPiece(
  site: SiteUnderCheck,
  file: string,
  route: Route,
  number: number,
  others: RecordCheck | null,
): Promise<number> {
  const { first, last } = eventsOfPiece(number);
  const add = (expected: string, got: string) => site.faults.add('piece_record', route.path, expected, got);
  let next = first;
  let page: { readonly number: number; readonly events: readonly ChangeEvent[] } = { number: 0, events: [] };
  try {
    for await (const lines of gzipLines(file, route.size)) {
      const records: ChangeRecord[] = [];
      for (const line of lines) {
        const wanted = pageOfEvent(next);
        if (page.number !== wanted) page = { number: wanted, events: eventsOf(site, wanted) };
        const event = page.events[page.events.length - 1 - ((next - 1) % pageSize)];
        const read = readRecord(line, next, event);
        if ('problem' in read) {
          add(`${read.problem.expected} as record ${next - first + 1}`, read.problem.got);
          others?.stop();
        } else records.push(read.record);
        next += 1;
      }
      await others?.take(records);
    }
  } catch (error) {
    if (!(error instanceof BrokenLines)) throw error;
    site.faults.add('piece_compression', route.path, 'gzip-compressed lines of text', error.message);
    return next - first;
  }
  await others?.end(route.path);
  if (next !== last + 1) add(`${last - first + 1} records, ${segmentSize} pages of ${pageSize}`, String(next - first));
  return next - first;
}

type Read = { readonly record: ChangeRecord } | { readonly problem: SchemaProblem };

/** The record of a line. `event`: what it must be a record of; absent where nobody knows. */
function readRecord(line: string, number: number, event: ChangeEvent | undefined): Read {
  if (event) {
    const record = changeRecordOf({ number, event }) as ChangeRecord;
    return line === JSON.stringify(record) ? { record } : misread(shown(record), line.slice(0, 80));
  }
  const parsed = parseText(line);
  if ('problem' in parsed) return misread('JSON', parsed.problem);
  const [problem] = schemaProblems(changeRecord, parsed.value);
  if (problem) return { problem };
  const record = parsed.value as ChangeRecord;
  return record.number === number ? { record } : misread(`event ${number}`, String(record.number));
}

function misread(expected: string, got: string): Read {
  return { problem: { expected, got } };
}

/** The events of a sealed page, newest first; none when the page is past retention or cannot be read. */
function eventsOf(site: SiteUnderCheck, page: number): readonly ChangeEvent[] {
  return documentAt<{ data: ChangeEvent[] }>(site, pathOf('changes_page', { number: String(page) }))?.data ?? [];
}
