import { type AddressKind, addressPaths } from '../contract/address-paths.ts';
import type { PathParameters } from '../contract/paths.ts';
import { checkoutPath, prefix } from '../contract/site-layout.ts';
import { formatQueryString } from '../shim/query-string.ts';
import { ConnectionError } from './errors.ts';

/** Lists are joined with commas; undefined values are left out. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

export type ParametersOf<Kind extends AddressKind> = [keyof PathParameters<Kind>] extends [never]
  ? undefined
  : PathParameters<Kind>;

/** The path of an address, with `/v1`. */
export function pathOf(kind: AddressKind, parameters: Readonly<Record<string, string>> = {}): string {
  return addressPaths[kind].replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(parameters[name] ?? ''));
}

/** URLs drop `.` and `..` however they are encoded, so these get a trailing space, which no id has. */
function pathSegment(value: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(value) ? `${value} ` : value);
}

export function formatTarget(path: string, query: Query): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
  return pairs.length === 0
    ? path
    : `${path}?${formatQueryString(pairs.map(([name, value]) => [name, String(value)]))}`;
}

const firstSegments = [...new Set(Object.values(addressPaths).map((template) => template.split('/')[2]))];
/** A link can be a URL below the address that a site was built for. */
const addressStart = new RegExp(
  `${prefix}(?=$|[?#]|/(?:${firstSegments.filter(Boolean).join('|').replaceAll('.', '\\.')})(?:$|[/?#]))`,
);

/** `areFiles`: the site answers only under the names of its files. */
export class Addresses {
  /** The root of the site, without a slash at its end. */
  readonly root: string;
  readonly areFiles: boolean;

  constructor(root: string, areFiles: boolean) {
    this.root = root;
    this.areFiles = areFiles;
  }

  /** The URL of a link, which is a path with `/v1`, or a link from a document. */
  urlOf(link: string): string {
    const target = this.targetIn(link);
    return `${this.root}${this.areFiles ? filePath(target) : target}`;
  }

  /** The path of a link, with `/v1`, and its query. */
  targetIn(link: string): string {
    const start = link.search(addressStart);
    if (start < 0) throw new ConnectionError(link, `expected an address of the site at ${this.root}`);
    return link.slice(start);
  }
}

function filePath(target: string): string {
  const end = target.search(/[?#]|$/);
  return `/${checkoutPath(target.slice(0, end))}${target.slice(end)}`;
}
