import { SaxesParser } from 'saxes';
import { expect } from 'vitest';

/** An entry or the head of an Atom feed: the text of each element by its name, and its links by `rel`. */
export type AtomPart = { readonly texts: Record<string, string>; readonly links: Record<string, string> };

/**
 * Reads an Atom feed. Throws if it is not well-formed, and expects what RFC 4287 requires of a feed and its entries.
 */
export function readAtom(bytes: Uint8Array): AtomPart & { readonly entries: readonly AtomPart[] } {
  const parser = new SaxesParser({ xmlns: true });
  const feed: AtomPart = { texts: {}, links: {} };
  const entries: AtomPart[] = [];
  let part = feed;
  let content = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    expect(uri).toBe('http://www.w3.org/2005/Atom');
    content = '';
    if (local === 'entry') {
      part = { texts: {}, links: {} };
      entries.push(part);
    }
    if (local === 'link') part.links[attributes.rel?.value ?? 'alternate'] = attributes.href?.value ?? '';
  });
  parser.on('text', (text) => {
    content += text;
  });
  parser.on('closetag', ({ local }) => {
    if (content.trim() !== '') part.texts[local] = content;
    content = '';
    if (local === 'entry') part = feed;
  });
  parser.write(Buffer.from(bytes).toString()).close();
  for (const { texts } of [feed, ...entries]) {
    expect(texts).toMatchObject({ id: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/), title: expect.any(String) });
    expect(texts.updated).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  }
  return { ...feed, entries };
}
