import { jsonStart } from '../contract/json.ts';
import { Failure, printable } from '../failure.ts';

/**
 * The kinds of faults in a site. The first word says where: `pointer` current.json, `signature` the file beside it,
 * `mirror` the record of a mirror, `table` the objects of a route table, `route` one of its entries, `object` stored
 * bytes, `document` a JSON answer, `address` an address in a document, `list` a walk along `links.next`, `index` a page
 * index or the brand index, `input` the inputs of a comparison, `export` an export file, `piece` a piece of the change
 * history, `publication` two documents that describe the same publication, `checkout` and `site` the files that a plain
 * host serves, `live` the answers of a host over HTTP.
 */
export type FaultCode =
  | 'pointer_unreadable'
  | 'pointer_inconsistent'
  | 'signature_missing'
  | 'signature_mismatch'
  | 'mirror_unreadable'
  | 'table_unreadable'
  | 'table_inconsistent'
  | 'table_order'
  | 'table_misplaced'
  | 'route_unknown'
  | 'route_delivery'
  | 'route_size'
  | 'route_etag'
  | 'route_variant'
  | 'route_missing'
  | 'object_missing'
  | 'object_unreadable'
  | 'object_damaged'
  | 'document_syntax'
  | 'document_schema'
  | 'document_misplaced'
  | 'address_unresolved'
  | 'list_order'
  | 'list_continuation'
  | 'list_foreign_row'
  | 'list_count'
  | 'index_mismatch'
  | 'input_mismatch'
  | 'export_compression'
  | 'export_record'
  | 'export_header'
  | 'export_order'
  | 'export_count'
  | 'export_companion'
  | 'piece_mismatch'
  | 'piece_record'
  | 'piece_compression'
  | 'publication_mismatch'
  | 'checkout_missing'
  | 'checkout_content'
  | 'checkout_stray'
  | 'site_link'
  | 'live_status'
  | 'live_header'
  | 'live_bytes';

/** One fault. `path`: the address, or the file in the site. `expected` and `got`: text for a person. */
export type Fault = {
  readonly code: FaultCode;
  readonly path: string;
  readonly expected: string;
  readonly got: string;
};

/**
 * Collects faults. Counts all of them and keeps the first `limit` by path, so that a badly damaged site does not fill
 * the memory.
 */
export class FaultList {
  readonly #limit: number;
  #kept: Fault[] = [];
  #total = 0;

  constructor(limit = 1000) {
    this.#limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  add(code: FaultCode, path: string, expected: string, got: string): void {
    this.#total += 1;
    this.#kept.push({ code, path, expected, got });
    if (this.#kept.length >= 4 * this.#limit) this.#kept = this.first();
  }

  /** Throws a Failure with the first fault, if there is any. `place`: what stands before its path. */
  refuseFirst(place = ''): void {
    const [fault] = this.first();
    if (fault) throw new Failure(place + formatFault(fault));
  }

  /** In an order that depends on the site alone, never on how it was walked. */
  first(): Fault[] {
    return this.#kept.sort(compareFaults).slice(0, this.#limit);
  }
}

/** `/v1/brands: expected 3 rows, got 2 [list_count]` */
export function formatFault({ code, path, expected, got }: Fault): string {
  return printable(`${path}: expected ${expected}, got ${got} [${code}]`);
}

/** A value as a fault prints it: JSON on one line, cut at 80 characters. */
export function shown(value: unknown): string {
  const json = value === undefined ? 'nothing' : jsonStart(value, 81);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

function compareFaults(a: Fault, b: Fault): number {
  return (
    compareTexts(a.path, b.path) ||
    compareTexts(a.code, b.code) ||
    compareTexts(a.expected, b.expected) ||
    compareTexts(a.got, b.got)
  );
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
