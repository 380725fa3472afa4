import known from 'spdx-license-ids/index.json' with { type: 'json' };

/** The identifier in the SPDX list, whatever the case of its letters; null for any other license. */
export function spdxLicense(name: string): string | null {
  return known.find((id) => id.toLowerCase() === name.toLowerCase()) ?? null;
}
