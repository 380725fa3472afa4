import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

type Element = {
  readonly name: string;
  readonly text: string;
  readonly attributes: Record<string, string>;
  readonly children: readonly Element[];
};

/** Prints an XML document as JSON; fails where it is not well-formed. */
const toJson = `
import json, sys
import xml.etree.ElementTree as tree
def plain(element):
    return {'name': element.tag, 'text': element.text or '', 'attributes': element.attrib, 'children': [plain(child) for child in element]}
print(json.dumps(plain(tree.fromstring(sys.stdin.buffer.read()))))
`;

const atom = '{http://www.w3.org/2005/Atom}';
const feedPath = '/v1/metadata/publications.atom';
const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let feed: Element;

beforeAll(async () => {
  await copyBuiltFixtures(dist, 12);
  const bytes = readFileSync(join(dist, 'site', feedPath));
  feed = JSON.parse(execFileSync('python3', ['-c', toJson], { input: bytes }).toString());
});
afterAll(folder.remove);

const all = (element: Element, name: string) => element.children.filter((child) => child.name === atom + name);
const only = (element: Element, name: string) =>
  all(element, name)
    .map(({ text }) => text)
    .join('|');
const links = (element: Element) => all(element, 'link').map(({ attributes }) => attributes);

describe('the Atom feed of publications', () => {
  test('has what RFC 4287 requires of a feed', () => {
    expect(feed.name).toBe(`${atom}feed`);
    expect(only(feed, 'id')).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
    expect(only(feed, 'title')).toContain('Publications');
    expect(only(feed, 'updated')).toBe(readSite(dist).pointer.published_at);
    expect(all(feed, 'author').map((author) => only(author, 'name'))).toHaveLength(1);
    expect(links(feed)).toEqual([
      { rel: 'self', type: 'application/atom+xml', href: feedPath },
      { rel: 'alternate', type: 'application/json', href: '/v1/metadata/publications' },
    ]);
  });

  test('has an entry for each retained publication, with counts, warnings and exports', () => {
    type Exports = Record<string, { url: string }>;
    type Publication = { revision: string; sequence: number; published_at: string; exports: Exports };
    const { data } = documentAt<{ data: Publication[] }>(dist, '/v1/metadata/publications');
    const entries = all(feed, 'entry');
    expect(entries.map((entry) => [only(entry, 'id'), only(entry, 'title'), only(entry, 'updated')])).toEqual(
      data.map(({ revision, sequence, published_at }) => [
        `urn:uuid:${revision}`,
        `Publication ${sequence}`,
        published_at,
      ]),
    );
    for (const [i, entry] of entries.entries()) {
      const enclosures = links(entry).filter(({ rel }) => rel === 'enclosure');
      expect(enclosures.map(({ href }) => href)).toEqual(Object.values(data[i]?.exports ?? {}).map(({ url }) => url));
    }
    expect(only(entries[0] as Element, 'content')).toMatch(
      /^53 products, 17 stores, 765 observed pairs of a product and a store\. \d+ new change events?\. FIXTURE_DATA: the data are invented/,
    );
  });
});
