import { formatPath, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import type { CheckedTable } from '../site/checked-table.ts';
import type { FileFacts } from './exports.ts';
import type { Proof } from './proof.ts';

/*
 * What an earlier verification proved need not be proved again. All objects are hashed every time. A document whose
 * bytes are those of the earlier table, at all of its addresses, still matches its schema and states the same. It may
 * name addresses, and those that the earlier table had are still there, except for a few that left: documents that
 * name one of these are checked again. A list is walked again if one of its parts is new.
 */

/** What is known of the current publication. */
export type Known = {
  /** Why nothing is known, in words; null if something is. */
  readonly whyFull: string | null;
  /** When a verification last checked everything: an ISO 8601 instant. Null if this one does. */
  readonly fullAt: string | null;
  /** Whether a route answers with the same bytes, at the same addresses, as in the table that was proved. */
  readonly isSame: (route: Route) => boolean;
  /** Whether a document names an address that left. */
  readonly namesLeft: (bytes: Buffer) => boolean;
  /** Whether some address left. */
  readonly hasLeft: boolean;
  /** Whether all parts of a change list are the same. */
  readonly isListSame: (head: Route) => boolean;
  /** Whether a compressed object is known to unpack to an answer. */
  readonly isVariant: (compressed: string, answer: string) => boolean;
  /** The MD5 of an object, if it is known. */
  readonly md5Of: (sha256: string) => string | undefined;
  /** What had an address in the table that was proved. `user`: what names the object, for messages. */
  readonly before: (path: string) => { readonly sha256: string; readonly user: string } | null;
  /** Facts from an export's header. */
  readonly factsOf: (route: Route) => FileFacts | undefined;
};

export function nothingKnown(whyFull: string): Known {
  return {
    whyFull,
    fullAt: null,
    isSame: () => false,
    namesLeft: () => false,
    hasLeft: false,
    isListSame: () => false,
    isVariant: () => false,
    md5Of: () => undefined,
    before: () => null,
    factsOf: () => undefined,
  };
}

const latestFolder = formatPath('latest_checksums').replace(/[^/]+$/, '');

/** The most marks of addresses that left. Each document is searched for them, so there must not be many. */
const mostMarks = 100;

/**
 * What is known of a table. `proved`: the table of the proof. `revision`: the revision of the publication that it
 * belongs to.
 */
export function knownSince(
  table: CheckedTable,
  { table: proved, revision }: { readonly table: CheckedTable; readonly revision: string },
  { files, full_at }: Proof,
): Known {
  const formerSkus = formatPath('former_skus');
  if (table.routes.get(formerSkus)?.sha256 !== proved.routes.get(formerSkus)?.sha256) {
    return nothingKnown('the list of former SKUs changed');
  }
  const left = [...proved.routes.keys()].filter((path) => !table.routes.has(path));
  const marks = [...new Set(left.map(markOf))];
  if (marks.length > mostMarks) return nothingKnown(`${left.length} addresses left`);
  const [now, before] = [addressesOf(table), addressesOf(proved)];
  const isSame = ({ sha256 }: Route) => now.get(sha256) === before.get(sha256);
  const newLists = new Set(left.map(listOf));
  for (const route of table.routes.values()) if (!isSame(route)) newLists.add(listOf(route.path));
  const md5s = new Map<string, string>();
  const variants = new Set<string>();
  for (const { sha256, etag, variants: compressed = [] } of proved.routes.values()) {
    md5s.set(sha256, etag.slice(1, -1));
    for (const variant of compressed) {
      md5s.set(variant.sha256, variant.etag.slice(1, -1));
      variants.add(`${variant.sha256} ${sha256}`);
    }
  }
  return {
    whyFull: null,
    fullAt: full_at,
    isSame,
    namesLeft: (bytes) => marks.some((mark) => bytes.includes(mark)),
    hasLeft: marks.length > 0,
    isListSame: ({ path }) => listOf(path) !== null && !newLists.has(listOf(path)),
    isVariant: (compressed, answer) => variants.has(`${compressed} ${answer}`),
    md5Of: (sha256) => md5s.get(sha256),
    before: (path) => {
      const route = proved.routes.get(path);
      return route ? { sha256: route.sha256, user: `${path} of revision ${revision}` } : null;
    },
    factsOf: (route) => (isSame(route) ? files[route.sha256] : undefined),
  };
}

/**
 * The addresses that answer with each object, and how they answer, as a text that can be compared. A file of a
 * publication loses its second address when the next one is published, although the file is unchanged.
 */
function addressesOf({ routes }: CheckedTable): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const path of [...routes.keys()].sort()) {
    if (path.startsWith(latestFolder)) continue;
    const { sha256, cache, last_sequence = '' } = routes.get(path) as Route;
    addresses.set(sha256, `${addresses.get(sha256) ?? ''}${path} ${cache} ${last_sequence}\n`);
  }
  return addresses;
}

/** What a document contains that names an address: the id of a thing, a former SKU, or the folder of the address. */
function markOf(path: string): string {
  const { kind, parameters = {} } = parsePath(path) ?? {};
  const isNamedById = kind !== undefined && /^(product|family|brand|store)(_by_\w+)?$/.test(kind);
  const name = isNamedById ? Object.values(parameters).at(-1) : undefined;
  return name ?? path.slice(0, path.lastIndexOf('/') + 1);
}

/** The change list that an address belongs to: its head, index, pages, segments, and the members of a family. */
function listOf(path: string): string | null {
  const { kind = '', parameters = {} } = parsePath(path) ?? {};
  const { product_id, family_id } = parameters;
  if (/^changes(_page|_index|_segment)?$/.test(kind)) return 'all';
  if (kind === 'family' || kind.startsWith('family_changes')) return family_id ?? null;
  return kind.startsWith('product_changes') ? (product_id ?? null) : null;
}
