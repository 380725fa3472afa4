import type { ChangeEvent } from '../contract/documents/change.ts';
import type { RetainedPublication } from '../contract/documents/metadata.ts';
import { type ChangePieces, type ChangeRecord, changeRecordOf } from '../contract/formats/change-pieces.ts';
import type { ExportResource } from '../contract/formats/export.ts';
import { lastSealedPage, pageSize, segmentSize } from '../contract/formats/page-index.ts';
import type { PublicationTable } from '../contract/formats/parquet.ts';
import { pathOf } from '../contract/paths.ts';
import { type CheckContext, documentAt, type SiteUnderCheck } from './documents.ts';
import type { RecordCheck } from './exports.ts';
import { indexOfAllChanges } from './page-index.ts';
import { ProductRows } from './product-rows.ts';
import { RowCheck } from './table-rows.ts';
import { type ExpectedTable, type OpenTable, openTable } from './table-schema.ts';

/**
 * The Parquet files of the current publication. Each has the rows of the NDJSON beside it, in the same order; the tables
 * over time have the rows of their parts. A site that was built before there were such files has none.
 */
export class Tables {
  readonly #context: CheckContext;
  readonly #site: SiteUnderCheck;
  /** Oldest first. */
  readonly #retained: readonly RetainedPublication[];
  readonly #opened = new Map<string, OpenTable | null>();

  constructor(context: CheckContext, site: SiteUnderCheck) {
    this.#context = context;
    this.#site = site;
    const document = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
    this.#retained = (document?.data ?? []).toSorted((a, b) => a.sequence - b.sequence);
  }

  /** The revision of the current publication; null where no document tells. */
  get currentRevision(): string | null {
    return this.#retained.findLast(({ current }) => current)?.revision ?? null;
  }

  /** How many rows a file has that was sound enough to compare; null for others. */
  rowsAt(path: string): number | null {
    return this.#opened.get(path)?.file.rows ?? null;
  }

  /** What compares the records of an export with its Parquet file. Those of products tell of `daily` too. */
  checkOf(revision: string, resource: ExportResource): RecordCheck | null {
    const publication = this.#retained.find((retained) => retained.revision === revision);
    if (!publication) return null;
    const rows = this.#rowsOf(this.#ofPublication(publication, resource));
    if (resource !== 'products') return rows;
    return new ProductRows(publication, rows, this.#rowsOf(this.#ofPublication(publication, 'daily')));
  }

  /** What compares the records of a piece of the change history with its Parquet file. */
  checkOfPiece(number: number): RecordCheck | null {
    return this.#rowsOf(this.#ofPiece(number));
  }

  /** Compares the tables over time with their parts, after the parts themselves. */
  async checkHistory(): Promise<void> {
    await this.#checkDaily();
    const document = documentAt<ChangePieces>(this.#site, pathOf('change_pieces'));
    if (!document) return;
    const expected = { table: 'changes', identity: {}, mayBeEarlier: false } as const;
    await this.#checkJoined(
      this.#open(pathOf('changes_parquet'), expected),
      document.pieces.map(({ number }) => this.#ofPiece(number)),
      'the pieces have',
    );
    const newest = this.#rowsOf(this.#open(pathOf('newest_changes_parquet'), expected));
    const records = newest && newestRecords(this.#site);
    if (!records) return;
    await newest.take(records);
    newest.end('the feed has events after the last piece');
  }

  /**
   * Compares `daily` with its parts. It goes back further than they do: of the rows before, only their order can be checked.
   */
  async #checkDaily(): Promise<void> {
    const joined = this.#open(pathOf('daily_parquet'), { table: 'daily', identity: {}, mayBeEarlier: false });
    const parts = this.#retained.map((publication) => this.#ofPublication(publication, 'daily'));
    const earlier = joined ? joined.file.rows - parts.reduce((sum, part) => sum + (part?.file.rows ?? 0), 0) : 0;
    // Without the list of publications, which is reported already, nobody knows of which ones the rows may be.
    const problemOf = earlierDaily(this.#retained[0]?.sequence ?? Number.MAX_SAFE_INTEGER);
    await this.#checkJoined(joined, parts, 'those of the retained publications have', (rows) =>
      rows.pass(earlier, ['publication', 'agency_sku'], problemOf),
    );
  }

  /** `passEarlier`: passes over rows before those of the parts. */
  async #checkJoined(
    joined: OpenTable | null,
    parts: readonly (OpenTable | null)[],
    source: string,
    passEarlier: (rows: RowCheck) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const rows = this.#rowsOf(joined);
    // A part that is missing or damaged is reported already.
    if (!rows || parts.includes(null)) return;
    await passEarlier(rows);
    for (const [done, part] of parts.entries()) {
      this.#context.progress('comparing tables over time', done, parts.length);
      if (part) await rows.takeFile(part);
    }
    rows.end(source);
  }

  #ofPublication({ revision, published_at, current }: RetainedPublication, table: PublicationTable): OpenTable | null {
    const identity = { publication_revision: revision, published_at };
    return this.#open(pathOf('export_parquet', { revision, table }), { table, identity, mayBeEarlier: !current });
  }

  #ofPiece(number: number): OpenTable | null {
    const path = pathOf('change_piece_parquet', { number: String(number) });
    return this.#open(path, { table: 'changes', identity: {}, mayBeEarlier: true });
  }

  /** Opens a file, and checks all but its rows, once. */
  #open(path: string, expected: ExpectedTable): OpenTable | null {
    const known = this.#opened.get(path);
    if (known !== undefined) return known;
    const opened = openTable(this.#context, this.#site, path, expected);
    this.#opened.set(path, opened);
    return opened;
  }

  #rowsOf(table: OpenTable | null): RowCheck | null {
    return table && new RowCheck(table, this.#site.faults);
  }
}

/** Says what is wrong with a row of `daily`: rows stand by publication, then by code, and are of publications before `end`. */
function earlierDaily(end: number): (values: readonly unknown[]) => string | null {
  let [lastPublication, lastCode] = [0n, ''];
  return ([first, second]) => {
    const [publication, code] = [first as bigint, second as string];
    const isNext = publication > lastPublication || (publication === lastPublication && code > lastCode);
    if (!isNext || publication >= BigInt(end)) {
      return `after publication ${lastPublication}, code ${lastCode}, of a publication before ${end}`;
    }
    [lastPublication, lastCode] = [publication, code];
    return null;
  };
}

/** The retained events after the last piece, oldest first, as the feed has them; null when a page of it cannot be read. */
function newestRecords(site: SiteUnderCheck): ChangeRecord[] | null {
  const index = indexOfAllChanges(site);
  if (!index) return null;
  const [last, inPieces] = [lastSealedPage(index), (index.segments.at(-1)?.number ?? 0) * segmentSize];
  const records: ChangeRecord[] = [];
  for (let page = Math.max(index.first_page, inPieces + 1); page <= last + 1; page += 1) {
    const path = page > last ? pathOf('changes') : pathOf('changes_page', { number: String(page) });
    const events = documentAt<{ data: ChangeEvent[] }>(site, path)?.data;
    if (!events) return null;
    const first = (page - 1) * pageSize + 1;
    records.push(
      ...events.toReversed().map((event, i) => changeRecordOf({ number: first + i, event }) as ChangeRecord),
    );
  }
  return records;
}
