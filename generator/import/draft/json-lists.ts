import { isJsonObject, parseJson } from '../../../contract/text.ts';

/** The most records that the search for inner lists looks at. */
const lookedAt = 10_000;

/** Reads a text with an object on each line, whatever its file is called. Null for other text. */
export function recordsInLines(text: string): unknown[] | null {
  const isFilled = (line: string) => line.trim() !== '';
  const first = text.split('\n', lookedAt).filter(isFilled);
  if (first.length < 2 || !first.every((line) => isJsonObject(parseJson(line)))) return null;
  return text.split('\n').filter(isFilled).slice(0, lookedAt).map(parseJson);
}

/** `key`: set if the records are members of an object. */
type List = { readonly path: string; readonly list: readonly unknown[]; readonly key?: true };

/** Arrays with objects, and objects whose members all have the keys of the first. Does not look inside records. */
export function listsIn(value: unknown, path = '', depth = 0): List[] {
  if (Array.isArray(value)) return value.some(isJsonObject) ? [{ path, list: value }] : [];
  if (!isJsonObject(value) || depth > 4) return [];
  const members = Object.values(value);
  const [first] = members;
  const isLikeFirst = (member: unknown) =>
    isJsonObject(member) && isJsonObject(first) && Object.keys(first).every((key) => Object.hasOwn(member, key));
  if (members.length > 1 && members.every(isLikeFirst)) return [{ path, list: members, key: true }];
  return Object.entries(value).flatMap(([key, inner]) => listsIn(inner, `${path}/${key}`, depth + 1));
}

/** The paths of arrays of objects in records, such as `inventory.stock`. */
export function innerLists(records: readonly unknown[]): string[] {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string, depth: number) => {
    if (Array.isArray(value) && path !== '') {
      if (value.some(isJsonObject)) paths.add(path);
    } else if (isJsonObject(value) && depth < 4) {
      for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  };
  for (const record of records.slice(0, lookedAt)) walk(record, '', 0);
  return [...paths].sort();
}
