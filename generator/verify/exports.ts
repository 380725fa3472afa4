import type * as z from 'zod';
import {
  describeFields,
  type ExportHeader,
  type ExportResource,
  exportHeader,
  recordsWith,
} from '../contract/formats/export.ts';
import type { Route } from '../contract/formats/site.ts';
import type { ExportFields } from '../contract/formats/table.ts';
import { objectPath, parsePath } from '../contract/paths.ts';
import type { SiteFiles } from '../site/checked-files.ts';
import { parseText, schemaProblems } from '../site/checked-json.ts';
import { type FaultList, shown } from '../site/fault.ts';
import { BrokenLines, gzipLines } from '../site/gzip-lines.ts';

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
 * publication. A file of an earlier one never changes, so it may lack columns that were added since. `others`: are given
 * the records.
 */
export async function checkExport(
  files: SiteFiles,
  route: Route,
  current: string,
  faults: FaultList,
  others: readonly RecordCheck[],
): Promise<ExportResult> {
  const check = new ExportCheck(route.path, current, faults);
  try {
    for await (const lines of gzipLines(files.locate(objectPath(route.sha256)), route.size)) {
      const records: Row[] = [];
      for (const line of lines) {
        const record = check.line(line);
        if (record === 'unsound') for (const other of others) other.stop();
        else if (record !== 'header') records.push(record);
      }
      for (const other of others) await other.take(records);
    }
  } catch (error) {
    if (!(error instanceof BrokenLines)) throw error;
    faults.add('export_compression', route.path, 'gzip-compressed lines of text', error.message);
    return null;
  }
  for (const other of others) await other.end(route.path);
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
      this.#faults.expectEqual('export_header', this.#path, expected, got, (text) => `${what} ${text} in its header`);
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
