import { isDeepStrictEqual } from 'node:util';
import { shown } from '../../contract/schemas/checked-value.ts';
import { printable } from '../../contract/text.ts';
import { Failure } from '../files/failure.ts';
import { KeptFaults } from '../files/faults.ts';

/** The first word says where the fault is. */
export type FaultCode =
  /** `current.json` */
  | `pointer_${'unreadable' | 'inconsistent'}`
  /** The file beside it. */
  | `signature_${'missing' | 'mismatch' | 'expired'}`
  /** The record of a mirror. */
  | 'mirror_unreadable'
  /** The objects of a route table. */
  | `table_${'unreadable' | 'inconsistent' | 'order' | 'misplaced'}`
  /** An entry of a route table. */
  | `route_${'unknown' | 'delivery' | 'size' | 'etag' | 'variant' | 'missing'}`
  /** Stored bytes. */
  | `object_${'missing' | 'unreadable' | 'damaged'}`
  /** A JSON answer. */
  | `document_${'syntax' | 'schema' | 'misplaced'}`
  /** An address in a document. */
  | 'address_unresolved'
  | `list_${'order' | 'continuation' | 'foreign_row' | 'count'}`
  /** The index of the pages of a list. */
  | 'index_mismatch'
  /** A row of an availability that contradicts itself, or counts of such rows. */
  | 'pair_state'
  /** An export file, or what a document states about one. */
  | `export_${'compression' | 'record' | 'header' | 'order' | 'count' | 'mismatch'}`
  /** A Parquet file. */
  | `parquet_${'unreadable' | 'schema' | 'header' | 'count'}`
  /** Iceberg tables, which follow from the Parquet files. */
  | 'iceberg_mismatch'
  /** Two documents that describe the same publication. */
  | 'publication_mismatch'
  /** The files that a plain host serves. */
  | `checkout_${'missing' | 'content' | 'stray'}`
  | 'site_link'
  /** An answer that a build from the database would not give. */
  | `rebuild_${'missing' | 'extra' | 'content' | 'route'}`
  /** The answers of a host over HTTP. */
  | `live_${'status' | 'header' | 'coding' | 'bytes'}`;

/** `path`: the address, or the file in the site. `expected` and `got`: text for a person. */
export type Fault = {
  readonly code: FaultCode;
  readonly path: string;
  readonly expected: string;
  readonly got: string;
};

const mostKept = 1000;

/** The order depends on the site alone, never on how it was walked. */
export class FaultList extends KeptFaults<Fault> {
  constructor() {
    super(mostKept, compareFaults);
  }

  add(code: FaultCode, path: string, expected: string, got: string): void {
    this.keep([{ code, path, expected, got }]);
  }

  /**
   * Adds a fault if the values differ. `claim` turns the text of the expected value into what the fault says was
   * expected.
   */
  expectEqual(
    code: FaultCode,
    path: string,
    expected: unknown,
    got: unknown,
    claim: (expected: string) => string,
  ): void {
    if (isDeepStrictEqual(expected, got)) return;
    const [wanted, found] = shownApart(expected, got);
    this.add(code, path, claim(wanted), found);
  }

  /** Throws a Failure for the first fault, if there is one. `place`: the text before the path. */
  refuseFirst(place = ''): void {
    const [fault] = this.first();
    if (fault) throw new Failure('site_damaged', place + formatFault(fault));
  }
}

/** A fault as one line: `/v1/brands: expected 3 rows, got 2 [list_count]`. */
export function formatFault({ code, path, expected, got }: Fault): string {
  return `${path}: expected ${expected}, got ${got} [${code}]`;
}

/** The texts of two different values, each from its start, or from shortly before the first difference. */
export function shownApart(expected: unknown, got: unknown): [expected: string, got: string] {
  const starts: [string, string] = [shown(expected), shown(got)];
  if (starts[0] !== starts[1]) return starts;
  const texts = [JSON.stringify(expected), JSON.stringify(got)] as const;
  let same = 0;
  while (same < texts[0].length && texts[0][same] === texts[1][same]) same += 1;
  const from = Math.max(0, same - 40);
  const cut = (text: string) => printable(`…${text.slice(from, from + 80)}${text.length > from + 80 ? '…' : ''}`);
  return [cut(texts[0]), cut(texts[1])];
}

function compareFaults(a: Fault, b: Fault): number {
  for (const key of ['path', 'code', 'expected', 'got'] as const) {
    if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  }
  return 0;
}
