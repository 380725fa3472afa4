import current from 'spdx-license-ids/index.json' with { type: 'json' };

const known = new Map(current.map((id) => [id.toLowerCase(), id]));

/** The identifier of a license in the list of SPDX, whatever the case of its letters; null for any other license. */
export function spdxLicense(name: string): string | null {
  return known.get(name.toLowerCase()) ?? null;
}
