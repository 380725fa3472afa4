import type * as z from 'zod';
import type { Metadata, RetainedPublication } from '../contract/documents/metadata.ts';
import {
  dataPackageOf,
  type ExportObjects,
  exportFileName,
  formatChecksums,
} from '../contract/formats/data-package.ts';
import {
  describeFields,
  type ExportFields,
  type ExportHeader,
  type ExportResource,
  exportHeader,
  exportResource,
  recordsWith,
} from '../contract/formats/export.ts';
import type { Route } from '../contract/formats/site.ts';
import { objectPath, parsePath, pathOf } from '../contract/paths.ts';
import { exportFiles, exportObjects } from '../contract/publication-files.ts';
import type { ObjectLedger, SiteFiles } from '../site/checked-files.ts';
import { parseText, schemaProblems } from '../site/checked-json.ts';
import { checkValidators } from '../site/checked-table.ts';
import { type FaultList, shown } from '../site/fault.ts';
import { BrokenLines, gzipLines } from '../site/gzip-lines.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';

/**
 * The number of data records in an export file, and the time of publication and the columns in its header; null when the
 * file could not be read to its end.
 */
export type ExportResult = {
  readonly records: number;
  readonly publishedAt: string | null;
  readonly columns: ExportFields | null;
} | null;

type Row = { readonly id?: string; readonly product_id?: string; readonly store_id?: string };

/**
 * Compares the sound records of a file with what else has them. `stop`: a record is unsound or missing, so nobody knows what
 * the following are to be compared with. `end`: there are no more in the file, which is called `source`.
 */
export type RecordCheck = {
  take(records: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  stop(): void;
  end(source: string): Promise<void> | void;
};

/**
 * Checks an export file, whose bytes are sound, record by record (contract.md 8). `current`: the revision of the current
 * publication. A file of an earlier one never changes, so it may lack columns that were added since. `others`: is given the
 * records.
 */
export async function checkExport(
  files: SiteFiles,
  route: Route,
  current: string,
  faults: FaultList,
  others: RecordCheck | null,
): Promise<ExportResult> {
  const check = new ExportCheck(route.path, current, faults);
  try {
    for await (const lines of gzipLines(files.locate(objectPath(route.sha256)), route.size)) {
      const records: Row[] = [];
      for (const line of lines) {
        const record = check.line(line);
        if (record === 'unsound') others?.stop();
        else if (record !== 'header') records.push(record);
      }
      await others?.take(records);
    }
  } catch (error) {
    if (!(error instanceof BrokenLines)) throw error;
    faults.add('export_compression', route.path, 'gzip-compressed lines of text', error.message);
    return null;
  }
  await others?.end(route.path);
  return check.finish();
}

/** Checks one file line by line, as it is read. */
class ExportCheck {
  readonly #path: string;
  readonly #faults: FaultList;
  readonly #resource: ExportResource;
  readonly #isCurrent: boolean;
  #records: z.ZodType;
  #lineCount = 0;
  #header: ExportHeader['header'] | null = null;
  #lastKey = '';

  constructor(path: string, current: string, faults: FaultList) {
    this.#path = path;
    this.#faults = faults;
    const { resource, revision } = parsePath(path)?.parameters ?? {};
    this.#resource = resource as ExportResource;
    this.#isCurrent = revision === current;
    this.#records = recordsWith(this.#resource, describeFields(this.#resource));
  }

  /** Checks the next line. Returns its record, if it is a sound one and not the header. */
  line(text: string): Row | 'header' | 'unsound' {
    this.#lineCount += 1;
    const parsed = parseText(text);
    if ('problem' in parsed) {
      this.#faults.add('export_record', this.#path, `line ${this.#lineCount} as JSON`, parsed.problem);
      return 'unsound';
    }
    const isHeader = this.#lineCount === 1;
    const problems = schemaProblems(isHeader ? exportHeader : this.#records, parsed.value);
    for (const { expected, got } of problems) {
      this.#faults.add(
        isHeader ? 'export_header' : 'export_record',
        this.#path,
        `line ${this.#lineCount}: ${expected}`,
        got,
      );
    }
    if (problems.length > 0) return 'unsound';
    if (isHeader) {
      this.#readHeader((parsed.value as ExportHeader).header);
      return 'header';
    }
    this.#readRecord(parsed.value as Row);
    return parsed.value as Row;
  }

  finish(): ExportResult {
    const records = Math.max(0, this.#lineCount - 1);
    if (this.#lineCount === 0) this.#faults.add('export_header', this.#path, 'a header record', 'an empty file');
    if (this.#header && this.#header.record_count !== records) {
      const expected = `record_count ${records} in its header, the data records it has`;
      this.#faults.add('export_count', this.#path, expected, String(this.#header.record_count));
    }
    return { records, publishedAt: this.#header?.published_at ?? null, columns: this.#header?.fields ?? null };
  }

  #readHeader(header: ExportHeader['header']): void {
    this.#header = header;
    const { revision } = parsePath(this.#path)?.parameters ?? {};
    const expectEqual = (what: string, expected: unknown, got: unknown) => {
      if (JSON.stringify(got) === JSON.stringify(expected)) return;
      this.#faults.add('export_header', this.#path, `${what} ${shown(expected)} in its header`, shown(got));
    };
    expectEqual('resource', this.#resource, header.resource);
    expectEqual('publication_revision', revision, header.publication_revision);
    if (this.#isCurrent) expectEqual('fields', describeFields(this.#resource), header.fields);
    else this.#readColumns(header.fields);
  }

  /** Reads the columns of an earlier publication: some of those of today, in their order. Their texts may differ. */
  #readColumns(columns: ExportFields): void {
    const names = columns.map(({ name }) => name);
    const known = describeFields(this.#resource);
    const expected = known.filter(({ name }) => names.includes(name));
    const textOf = (fields: ExportFields) => shown(fields.map(({ name, type, unit }) => [name, type, unit]));
    const differs = columns.findIndex(({ name, type, unit }, index) => {
      const own = expected[index];
      return name !== own?.name || type !== own.type || unit !== own.unit;
    });
    if (differs >= 0 || columns.length === 0) {
      this.#faults.add(
        'export_header',
        this.#path,
        `fields that are columns of ${this.#resource}, in order, in its header`,
        textOf(columns.slice(Math.max(0, differs))),
      );
      return;
    }
    this.#records = recordsWith(this.#resource, columns);
  }

  /** Checks the order of records. Ids have one length and are in lower case, so two joined ids sort like the pair. */
  #readRecord({ id, product_id, store_id }: Row): void {
    const key = id ?? `${product_id} ${store_id}`;
    if (key <= this.#lastKey) {
      const expected = `line ${this.#lineCount} after ${this.#lastKey}, each once and in order`;
      this.#faults.add('export_order', this.#path, expected, key);
    }
    this.#lastKey = key;
  }
}

/**
 * Checks the checksums and data package of the export files of each retained publication against the route table.
 * `exports`: what the files themselves say, by path.
 */
export function checkExportCompanions(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  exports: ReadonlyMap<string, ExportResult>,
): void {
  const publications = documentAt<{ data: RetainedPublication[] }>(site, pathOf('publications'));
  for (const publication of publications?.data ?? []) {
    const files = listedFiles(site, ledger, publication);
    checkChecksums(site, ledger, publication, files);
    if (files) checkPackage(site, publication, files, exports);
  }
}

/**
 * The files that the companions of a publication should list, as the route table has them. Companions never change, so
 * those that were made before there was Parquet list the other files alone. Null when one of these is missing, which the
 * check of addresses reports, or when a damaged route table cannot tell.
 */
function listedFiles(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  publication: RetainedPublication,
): ExportObjects | null {
  const { revision } = publication;
  if ([...exportFiles(revision).values()].some((path) => site.table.find(path) === 'unknown')) return null;
  const all = exportObjects(revision, (path) => {
    const route = site.table.find(path);
    return typeof route === 'string' ? null : route;
  });
  const names = exportResource.options.map(exportFileName);
  if (!names.every((name) => all.has(name))) return null;
  const ndjson = new Map([...all].filter(([name]) => names.includes(name)));
  return checksumsOf(site, ledger, publication)?.toString() === formatChecksums(ndjson) ? ndjson : all;
}

function checksumsOf(
  { table }: SiteUnderCheck,
  ledger: ObjectLedger,
  { revision }: RetainedPublication,
): Buffer | null {
  const route = table.find(pathOf('export_checksums', { revision }));
  return typeof route === 'string' ? null : ledger.read(route.sha256, route.path);
}

function checkChecksums(
  site: SiteUnderCheck,
  ledger: ObjectLedger,
  publication: RetainedPublication,
  files: ExportObjects | null,
): void {
  const route = site.table.find(pathOf('export_checksums', publication));
  if (typeof route === 'string') return;
  const object = ledger.check(route.sha256, route.path);
  if (object) checkValidators(route, object, site.faults);
  const bytes = files && checksumsOf(site, ledger, publication);
  if (files === null || bytes === null) return;
  const [expected, got] = [formatChecksums(files).split('\n'), bytes.toString().split('\n')];
  const line = expected.findIndex((text, i) => text !== got[i]);
  if (line >= 0 || got.length !== expected.length) {
    const at = line >= 0 ? line : expected.length;
    site.faults.add('export_companion', route.path, `line ${at + 1} ${shown(expected[at])}`, shown(got[at]));
  }
}

/** Members that say what the operator stated in a publication. The site knows that of the current publication alone. */
const stated = ['title', 'description', 'sources', 'contributors'];

function checkPackage(
  site: SiteUnderCheck,
  publication: RetainedPublication,
  files: ExportObjects,
  exports: ReadonlyMap<string, ExportResult>,
): void {
  const { revision } = publication;
  const path = pathOf('export_package', { revision });
  const columnsOf = (resource: ExportResource) =>
    exports.get(pathOf('export', { revision, resource }))?.columns ?? describeFields(resource);
  const document = documentAt<Record<string, unknown>>(site, path);
  if (document === null) return;
  const newest = documentAt<{ data: Metadata }>(site, pathOf('metadata'));
  const metadata = newest?.data.publication.revision === revision ? newest : null;
  // A build may have named another license than the curation does.
  const expectedPackage = dataPackageOf(publication, files, metadata?.data.about, null, columnsOf);
  for (const [key, expected] of Object.entries(expectedPackage)) {
    if (metadata === null && stated.includes(key)) continue;
    if (JSON.stringify(document[key]) === JSON.stringify(expected)) continue;
    site.faults.add('export_companion', path, `${key} ${shown(expected)}`, shown(document[key]));
  }
}
