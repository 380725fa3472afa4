import { displayPrice, isUsual, type Profile } from '../profile.ts';

/** Rewrites an example with the currency, country, language and codes of this profile. */
export function profiledExample(example: unknown, profile: Profile): unknown {
  if (isUsual(profile)) return example;
  // An export has a JSON object on each line.
  if (typeof example === 'string' && example.startsWith('{'))
    return example.replaceAll(/^.+$/gm, (line) => JSON.stringify(profiled(JSON.parse(line), '', profile)));
  return profiled(example, '', profile);
}

function profiled(value: unknown, key: string, profile: Profile): unknown {
  if (Array.isArray(value)) return value.map((item) => profiled(item, key, profile));
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [name, profiled(member, name, profile)]);
    const written: Record<string, unknown> = Object.fromEntries(members);
    const { amount_minor: amount, display } = written;
    if (typeof amount === 'number' && display !== undefined) written.display = displayPrice(amount, profile.currency);
    return written;
  }
  return typeof value === 'string' ? text(value, key, profile) : value;
}

function text(value: string, key: string, profile: Profile): string {
  const { currency, country, language, sku, store_code } = profile;
  const own: Readonly<Record<string, string>> = {
    currency,
    country,
    language,
    agency_sku: sku.example,
    sku: sku.example,
    former_skus: sku.example,
    inventory_store_code: store_code.example,
  };
  return (
    own[key] ?? value.replace(/(?<=\/by-sku\/)\d{6}/, sku.example).replace(/(?<=\/by-code\/)\d{4}/, store_code.example)
  );
}
