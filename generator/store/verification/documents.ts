import type * as z from 'zod';
import { isFileKind } from '../../contract/file-resource.ts';
import { parsePath } from '../../contract/paths.ts';
import { resources } from '../../contract/resources.ts';
import type { Route } from '../../contract/site.ts';
import type { FaultList } from './fault.ts';
import { type Parsed, parseJson, schemaProblems } from './json-bytes.ts';
import type { ObjectLedger } from './object-ledger.ts';
import { checkValidators } from './route-check.ts';

/** Looks at a document that is sound in itself; `routes` are all the addresses that answer with it. */
export type Inspect = (document: unknown, routes: readonly Route[]) => void;

/**
 * The JSON documents of a publication. Each is judged the first time it is read: bytes, syntax, schema, and what
 * `inspect` finds. None is kept; one that is needed again is read again.
 */
export class Documents {
  readonly #ledger: ObjectLedger;
  readonly #faults: FaultList;
  readonly #inspect: Inspect;
  readonly #routesOf: ReadonlyMap<string, readonly Route[]>;
  readonly #isSound = new Map<string, boolean>();

  constructor(ledger: ObjectLedger, faults: FaultList, routes: Iterable<Route>, inspect: Inspect) {
    this.#ledger = ledger;
    this.#faults = faults;
    this.#inspect = inspect;
    this.#routesOf = groupByObject(routes);
  }

  isRead({ sha256 }: Route): boolean {
    return this.#isSound.has(sha256);
  }

  /** The document of a route, or null when it is missing, damaged or malformed, which is then reported. */
  read({ path, sha256 }: Route): unknown {
    const known = this.#isSound.get(sha256);
    if (known === false) return null;
    const bytes = this.#ledger.read(sha256, path);
    const parsed = bytes && parseJson(bytes);
    if (known === true) return parsed && 'value' in parsed ? parsed.value : null;
    const routes = this.#routesOf.get(sha256) ?? [];
    const isSound = parsed !== null && this.#isSoundText(path, parsed) && this.#fits(parsed.value, routes);
    this.#isSound.set(sha256, isSound);
    const object = this.#ledger.check(sha256, path);
    if (object) for (const route of routes) checkValidators(route, object, this.#faults);
    if (!isSound) return null;
    this.#inspect(parsed.value, routes);
    return parsed.value;
  }

  #isSoundText(path: string, parsed: Parsed): parsed is { value: unknown } {
    if ('value' in parsed) return true;
    this.#faults.add('document_syntax', path, 'JSON in UTF-8', parsed.problem);
    return false;
  }

  /** Addresses of one object may be of several kinds; each kind's schema must take it. */
  #fits(value: unknown, routes: readonly Route[]): boolean {
    const checked = new Set<z.ZodType>();
    let fits = true;
    for (const { path } of routes) {
      const kind = parsePath(path)?.kind;
      if (kind === undefined || isFileKind(kind)) continue;
      const { schema } = resources[kind];
      if (checked.has(schema)) continue;
      checked.add(schema);
      for (const { expected, got } of schemaProblems(schema, value)) {
        fits = false;
        this.#faults.add('document_schema', path, expected, got);
      }
    }
    return fits;
  }
}

function groupByObject(routes: Iterable<Route>): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const group = groups.get(route.sha256);
    if (group) group.push(route);
    else groups.set(route.sha256, [route]);
  }
  return groups;
}
