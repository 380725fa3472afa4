import {
  describeFields,
  type ExportHeader,
  type ExportResource,
  exportHeader,
  exportRecords,
} from '../../contract/export.ts';
import { objectPath, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/site.ts';
import { type FaultList, shown } from './fault.ts';
import { BrokenLines, gzipLines } from './gzip-lines.ts';
import { parseText, schemaProblems } from './json-bytes.ts';
import type { SiteFiles } from './site-files.ts';

/** Data records of an export file, and when its header says it was published; null when it could not be read to its end. */
export type ExportResult = { readonly records: number; readonly publishedAt: string | null } | null;

type Row = { readonly id?: string; readonly product_id?: string; readonly store_id?: string };

/** Reads an export file whose bytes are sound, record by record, contract.md 8. */
export async function checkExport(files: SiteFiles, route: Route, faults: FaultList): Promise<ExportResult> {
  const check = new ExportCheck(route.path, faults);
  try {
    for await (const lines of gzipLines(files.locate(objectPath(route.sha256)), route.size)) {
      for (const line of lines) check.line(line);
    }
  } catch (error) {
    if (!(error instanceof BrokenLines)) throw error;
    faults.add('export_compression', route.path, 'gzip-compressed lines of text', error.message);
    return null;
  }
  return check.finish();
}

/** One file on its way past, line by line. */
class ExportCheck {
  readonly #path: string;
  readonly #faults: FaultList;
  readonly #resource: ExportResource;
  #lineCount = 0;
  #header: ExportHeader['header'] | null = null;
  #lastKey = '';

  constructor(path: string, faults: FaultList) {
    this.#path = path;
    this.#faults = faults;
    this.#resource = parsePath(path)?.parameters.resource as ExportResource;
  }

  line(text: string): void {
    this.#lineCount += 1;
    const parsed = parseText(text);
    if ('problem' in parsed) {
      this.#faults.add('export_record', this.#path, `line ${this.#lineCount} as JSON`, parsed.problem);
      return;
    }
    const isHeader = this.#lineCount === 1;
    const problems = schemaProblems(isHeader ? exportHeader : exportRecords[this.#resource], parsed.value);
    for (const { expected, got } of problems) {
      this.#faults.add(
        isHeader ? 'export_header' : 'export_record',
        this.#path,
        `line ${this.#lineCount}: ${expected}`,
        got,
      );
    }
    if (problems.length > 0) return;
    if (isHeader) this.#readHeader((parsed.value as ExportHeader).header);
    else this.#readRecord(parsed.value as Row);
  }

  finish(): ExportResult {
    const records = Math.max(0, this.#lineCount - 1);
    if (this.#lineCount === 0) this.#faults.add('export_header', this.#path, 'a header record', 'an empty file');
    if (this.#header && this.#header.record_count !== records) {
      const expected = `record_count ${records} in its header, the data records it has`;
      this.#faults.add('export_count', this.#path, expected, String(this.#header.record_count));
    }
    return { records, publishedAt: this.#header?.published_at ?? null };
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
    expectEqual('fields', describeFields(this.#resource), header.fields);
  }

  /** Ids are of one length and in lower case: joined, they sort as they do one after the other. */
  #readRecord({ id, product_id, store_id }: Row): void {
    const key = id ?? `${product_id} ${store_id}`;
    if (key <= this.#lastKey) {
      const expected = `line ${this.#lineCount} after ${this.#lastKey}, each once and in order`;
      this.#faults.add('export_order', this.#path, expected, key);
    }
    this.#lastKey = key;
  }
}
