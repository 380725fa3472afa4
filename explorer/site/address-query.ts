import { useEffect, useRef, useState } from 'preact/hooks';
import { parseHash, replaceQuery } from './router.ts';

/** Milliseconds without a change before the address is updated. Browsers limit how often it may change. */
const pauseMs = 250;

export type Fields<Name extends string> = Readonly<Record<Name, string>>;

/**
 * The fields of a form, kept in the query of a view's address, so that a link reproduces what is shown. Empty fields
 * are left out of the address. The form changes at once, the address a moment later.
 */
export function useAddressQuery<Name extends string>(
  view: string,
  names: readonly Name[],
  query: URLSearchParams,
): [fields: Fields<Name>, change: (fields: Partial<Fields<Name>>) => void] {
  const [fields, setFields] = useState(() => readFields(names, query));
  // The values typed last. They are ahead of what is drawn: two changes may come before the form is drawn again.
  const latest = useRef(fields);
  const written = useRef(fieldsText(names, fields));
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const asked = readFields(names, query);
  const askedText = fieldsText(names, asked);
  useEffect(() => {
    // A link or the browser's history changed the address, not this form.
    if (askedText === written.current) return;
    clearTimeout(timer.current);
    written.current = askedText;
    latest.current = asked;
    setFields(asked);
  }, [askedText]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (changes: Partial<Fields<Name>>) => {
    const next = { ...latest.current, ...changes };
    latest.current = next;
    setFields(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const now = parseHash(location.hash);
      // The reader may have followed a link that the form has not been drawn for yet.
      if (now.view !== view || fieldsText(names, readFields(names, now.query)) !== written.current) return;
      written.current = fieldsText(names, next);
      replaceQuery(next);
    }, pauseMs);
  };
  return [fields, change];
}

function readFields<Name extends string>(names: readonly Name[], query: URLSearchParams): Fields<Name> {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Fields<Name>;
}

function fieldsText<Name extends string>(names: readonly Name[], fields: Fields<Name>): string {
  return JSON.stringify(names.map((name) => fields[name]));
}

/** The distinct codes in a parameter such as `D,X`. Commas and percent signs within a code are escaped. */
export function codesIn(parameter: string): string[] {
  const codes = parameter.split(',').filter(Boolean);
  return [...new Set(codes.map((code) => code.replace(/%2C|%25/g, decodeURIComponent)))];
}

/** The inverse of {@link codesIn}. */
export function codeParameter(codes: readonly string[]): string {
  return codes.map((code) => code.replace(/[%,]/g, encodeURIComponent)).join();
}
