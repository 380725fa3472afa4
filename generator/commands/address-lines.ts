import type { AddressReport, firstDifferences } from '../inspect/address-report.ts';
import { sizeText } from './units.ts';

/** Where an answer of a site comes from, as `inspect` prints it for people. */
export function addressLines({ folder, route, unit }: AddressReport): string[] {
  const { path, size, sha256, last_modified, cache, last_sequence } = route;
  const answer = `${folder} ${path}: ${sizeText(size)}, SHA-256 ${sha256}, last modified ${last_modified}, ${cache}`;
  if (last_sequence !== undefined) {
    return [answer, `  kept for readers of publication ${last_sequence}, the last one that had the address`];
  }
  if (unit === null) return [answer, '  nothing is known of how it was made: no ledger of its build is here'];
  const inputs = Object.entries(unit.inputs).map(([name, value]) => `${name}=${value}`);
  return [
    answer,
    `  made by the unit '${unit.name}' in publication ${unit.made}: ${unit.why}`,
    ...(unit.isKept ? ['  kept by the last build: its inputs are the same, and all that it wrote was there'] : []),
    `  inputs: ${inputs.join(', ')}`,
  ];
}

/** The first differences between an address of two sites. */
export function differenceLines({ input, field }: ReturnType<typeof firstDifferences>): string[] {
  return Object.entries({ input, field }).map(([what, found]) =>
    found
      ? `first ${what} that differs: ${found.field || 'the whole'}: ${found.values.map(shortened).join(' and ')}`
      : `no ${what} differs`,
  );
}

function shortened(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value;
}
