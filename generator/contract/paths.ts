import { type AddressKind, addresses, addressTable } from './addresses.ts';
import { agencyCode } from './profile.ts';
import { isFileName, objectPath, pointerFile, prefix, signatureFile } from './site-layout.ts';

export {
  checkoutPath,
  explorerFile,
  isForPeople,
  objectPath,
  pointerFile,
  prefix,
  signatureFile,
} from './site-layout.ts';

/** A UUID in a path, as a regular expression. */
export const uuidPattern = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const parameters = {
  product_id: uuidPattern,
  store_id: uuidPattern,
  family_id: uuidPattern,
  brand_id: uuidPattern,
  revision: uuidPattern,
  sku: agencyCode,
  code: agencyCode,
  slug: '[a-z0-9-]+',
  resource: 'products|stores|inventory',
  table: 'products|stores|inventory|daily',
  problem: '[A-Z_]+',
  number: '[1-9][0-9]*',
  digest: '[0-9a-f]{16}',
  asset: '[0-9a-z]{8,16}',
} as const;

type Parameter = keyof typeof parameters;

export type PathKind = AddressKind;

/** The paths of every address, with their parameters in braces. */
export const templates = Object.fromEntries(Object.entries(addresses).map(([kind, { path }]) => [kind, path])) as {
  readonly [Kind in PathKind]: (typeof addresses)[Kind]['path'];
};

type ParametersIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends Parameter ? Name : never) | ParametersIn<Rest>
  : never;

export type PathParameters<Kind extends PathKind> = Record<ParametersIn<(typeof templates)[Kind]>, string>;

const placeholder = /\{([a-z_]+)\}/g;

const matchers = (Object.entries(templates) as [PathKind, string][]).map(([kind, template]) => ({
  kind,
  beginning: template.split('{', 1)[0] ?? '',
  names: [...template.matchAll(placeholder)].map(([, name]) => name as Parameter),
  pattern: new RegExp(
    `^${template.replaceAll('.', '\\.').replace(placeholder, (_, name: Parameter) => `(${parameters[name]})`)}$`,
  ),
}));

type Pieces = readonly [first: string, ...{ readonly name: string; readonly text: string }[]];

/** The templates, split at their parameters: the first text, then the name of each parameter with the text after it. */
const pieces = Object.fromEntries(
  (Object.entries(templates) as [PathKind, string][]).map(([kind, template]) => {
    const [first = '', ...rest] = template.split(placeholder);
    const named = Array.from({ length: rest.length / 2 }, (_, index) => ({
      name: rest[2 * index] ?? '',
      text: rest[2 * index + 1] ?? '',
    }));
    return [kind, [first, ...named]];
  }),
) as unknown as Readonly<Record<PathKind, Pieces>>;

/** The address of a resource, as a path with `/v1`. */
export function pathOf<Kind extends PathKind>(
  kind: Kind,
  ...[values]: [keyof PathParameters<Kind>] extends [never] ? [] : [PathParameters<Kind>]
): string {
  const [first, ...rest] = pieces[kind];
  let path = first;
  for (const { name, text } of rest) path += `${values?.[name as keyof PathParameters<Kind>]}${text}`;
  return path;
}

/** The resource that a path addresses, or null. The inverse of {@link pathOf}. */
export function parsePath(path: string): { kind: PathKind; parameters: Partial<Record<Parameter, string>> } | null {
  for (const { kind, beginning, names, pattern } of matchers) {
    const match = path.startsWith(beginning) ? pattern.exec(path) : null;
    if (match) return { kind, parameters: Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? ''])) };
  }
  return null;
}

/**
 * Whether the current publication must answer an address that a kept publication had (contract.md 11). A reader who
 * began with the kept publication can then follow its lists and rows without a 404.
 */
export function staysForReaders(path: string): boolean {
  const kind = parsePath(path)?.kind;
  return kind !== undefined && !addressTable[kind].leaves;
}

/**
 * Regular expressions of all addresses. Files of `named` addresses have the same name, files of `documents` have
 * `.json` added. `/` and `/v1` are in neither.
 */
export function addressPatterns(): { readonly named: readonly string[]; readonly documents: readonly string[] } {
  const sources = matchers
    .filter(({ kind }) => kind !== 'service_index' && kind !== 'explorer')
    .map(({ kind, pattern }) => ({ isNamed: isFileName(templates[kind]), source: pattern.source.slice(1, -1) }));
  const sourcesOf = (isNamed: boolean) =>
    sources.filter((each) => each.isNamed === isNamed).map(({ source }) => source.replaceAll('\\/', '/'));
  return { named: sourcesOf(true), documents: sourcesOf(false) };
}

export const siteLink = 'site';

export function checkoutFolder(revision: string): string {
  return `checkouts/${revision}`;
}

/** A file that a host serves in addition to the answers, for mirrors. Its address is its path in the site's folder. */
export type SiteFileAddress =
  | { readonly kind: 'pointer' | 'signature' }
  | { readonly kind: 'object'; readonly sha256: string };

/** The file of a site that a path addresses, or null. */
export function parseSiteFile(path: string): SiteFileAddress | null {
  if (path === `/${pointerFile}`) return { kind: 'pointer' };
  if (path === `/${signatureFile}`) return { kind: 'signature' };
  const sha256 = /^\/objects\/[0-9a-f]{2}\/([0-9a-f]{64})$/.exec(path)?.[1];
  return sha256 !== undefined && path === `/${objectPath(sha256)}` ? { kind: 'object', sha256 } : null;
}

/** Turns a path into the address that documents print: itself, or an absolute URL below the base URL. */
export type Addresser = (path: string) => string;

/**
 * Without a `baseUrl`, addresses are absolute paths. Otherwise they are URLs, and `/v1` is added to a `baseUrl` that
 * does not end with it.
 */
export function addresser(baseUrl: string | null): Addresser {
  if (baseUrl === null) return (path) => path;
  const trimmed = baseUrl.replace(/\/+$/, '');
  const base = trimmed.endsWith(prefix) ? trimmed.slice(0, -prefix.length) : trimmed;
  return (path) => base + path;
}
