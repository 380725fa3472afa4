import { formatPath, parsePath, prefix, uuidPattern } from '../../contract/paths.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import { type CodeKind, fixedDigits, isCode, type Profile } from '../../contract/profile.ts';
import type { PublicationFiles } from './publication-files.ts';
import type { PublicationView } from './publication-view.ts';
import { documentReading } from './reading.ts';

/** The problem code for a path without a route, contract.md 6. */
export async function missingRouteCode(view: PublicationFiles, path: string): Promise<ProblemCode> {
  const address = parsePath(path);
  const { product_id, sku } = address?.parameters ?? {};
  if (product_id !== undefined) {
    const isKnown = await view.has(formatPath('product', { product_id }));
    return isKnown ? 'RESOURCE_NOT_FOUND' : 'PRODUCT_NOT_FOUND';
  }
  if (sku !== undefined && isCode('sku', await view.profile(), sku)) {
    return (await ambiguousSkus(view)).includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
  return 'RESOURCE_NOT_FOUND';
}

const formerSkus = formatPath('former_skus');
const formerSkusReading = documentReading(formerSkus, 'former_skus');

/** The former SKUs that several products had. */
export async function ambiguousSkus(view: PublicationFiles): Promise<readonly string[]> {
  return (await view.read(formerSkus, formerSkusReading))?.ambiguous ?? [];
}

/** A longer path is not a slip of a reader. */
const longestPath = 200;

const uuid = new RegExp(`^${uuidPattern}$`);

/**
 * The code that a reader may have meant: in capitals, and with leading zeros if all codes have the same number of
 * digits, `001234` for `1234`. Null if that is not a code.
 */
function likelyCode(kind: CodeKind, name: string, profile: Profile): string | null {
  const length = fixedDigits(kind, profile);
  const code =
    length !== null && /^\d+$/.test(name) ? name.replace(/^0+(?=\d)/, '').padStart(length, '0') : name.toUpperCase();
  return isCode(kind, profile, code) ? code : null;
}

/** The addresses that a reader may have meant with the name of a thing in place of its id, or the other way round. */
const lookups: Readonly<Record<string, (name: string, profile: Profile) => string | null>> = {
  products: (name, profile) => {
    if (uuid.test(name)) return formatPath('product', { product_id: name });
    const sku = likelyCode('sku', name, profile);
    return sku && formatPath('product_by_sku', { sku });
  },
  stores: (name, profile) => {
    if (uuid.test(name)) return formatPath('store', { store_id: name });
    const code = likelyCode('store_code', name, profile);
    return code && formatPath('store_by_code', { code });
  },
  brands: (name) =>
    uuid.test(name) ? formatPath('brand', { brand_id: name }) : formatPath('brand_by_slug', { slug: name }),
  'product-families': (name) => (uuid.test(name) ? formatPath('family', { family_id: name }) : null),
};

/**
 * The address that a reader probably meant, when the publication has it: with the leading zeros of a SKU or store code,
 * under `by-sku`, `by-code` or `by-slug`, in lower case, without a final slash. Null when there is none.
 */
export async function likelyAddress(view: PublicationView, path: string): Promise<string | null> {
  if (path.length > longestPath || !path.startsWith(`${prefix}/`)) return null;
  const plain = path.toLowerCase().replace(/\/+$/, '');
  const [, kind = '', name = ''] = /^\/v1\/([a-z-]+)\/(?:by-[a-z]+\/)?([a-z0-9-]+)(?:\/[^/]*)?$/.exec(plain) ?? [];
  const profile = await view.profile();
  for (const meant of [plain, lookups[kind]?.(name, profile) ?? null]) {
    if (meant !== null && meant !== path && (await view.lookup(meant)) !== null) return meant;
  }
  return null;
}
