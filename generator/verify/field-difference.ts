import { isJsonObject } from '../../contract/text.ts';

/** A field that differs between two values: the names that lead to it, and the JSON of both. */
export type FieldDifference = { readonly field: string; readonly values: readonly [string, string] };

/** The first field in which two values of JSON differ; null if they are equal. */
export function firstDifference(a: unknown, b: unknown, field = ''): FieldDifference | null {
  if (!isJsonObject(a) || !isJsonObject(b)) {
    if (!Array.isArray(a) || !Array.isArray(b)) {
      const values = [JSON.stringify(a) ?? 'none', JSON.stringify(b) ?? 'none'] as const;
      return values[0] === values[1] ? null : { field, values };
    }
  }
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = firstDifference(left[key], right[key], field === '' ? key : `${field}.${key}`);
    if (found) return found;
  }
  return null;
}
