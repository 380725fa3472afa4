import { hash } from 'node:crypto';
import { isDownloadType } from '../../../contract/headers.ts';
import { checkoutPath, objectPath, pointerFile, signatureFile } from '../../../contract/paths.ts';
import type { Pointer, Route } from '../../../contract/schemas/site-files.ts';
import { explainFile, Failure } from '../../files/failure.ts';
import { createFile } from '../../files/new-file.ts';
import { requireBuiltSite } from '../../site/built-site.ts';
import { objectsOfTable } from '../../site/route-table.ts';
import { Storage } from '../../site/storage.ts';
import { linesOnlyFor } from '../../trust/signature-file.ts';
import { ZipWriter } from './zip-writer.ts';

/** `sha256` names the object; null for the pointer, which no hash names. */
type Part = { readonly name: string; readonly sha256: string | null; readonly isPacked: boolean };

/**
 * Writes the current publication as one ZIP file, in a folder named after it: the files of its checkout without the
 * compressed variants, the pointer, the route table, a README and checksums. The same publication makes the same bytes.
 * Every file is compared with its hash as it is read. The ZIP file appears whole or not at all. Throws a Failure if
 * there is no site, if a part is damaged or missing, or if the ZIP file exists. `files` counts the files in the ZIP
 * file; `bytes` is its size.
 */
export function bundleSite(directory: string, file: string, progress: (done: number, of: number) => void) {
  const storage = new Storage(directory);
  const site = requireBuiltSite(directory, storage);
  const { pointer } = site;
  const parts = listParts(storage, pointer, site.routes.values());
  return createFile(file, (append) => {
    const zip = new ZipWriter(append);
    const folder = `publication-${pointer.sequence}`;
    const sums: string[] = [];
    const add = (name: string, bytes: Uint8Array, isPacked: boolean) => {
      sums.push(`${hash('sha256', bytes)}  ${name}\n`);
      zip.add(`${folder}/${name}`, bytes, isPacked);
    };
    add('README.txt', Buffer.from(bundleReadme(pointer, site.routes.size)), false);
    // Signatures of earlier pointers differ between a site and its mirrors.
    const [pointerBytes, signature] = [storage.read(pointerFile), storage.read(signatureFile)];
    if (pointerBytes && signature) add(signatureFile, linesOnlyFor(pointerBytes, signature), false);
    for (const [index, part] of parts.entries()) {
      if (index % 100 === 0) progress(index, parts.length);
      add(part.name, soundBytes(storage, part), part.isPacked);
    }
    // The checksums are complete only now.
    zip.add(`${folder}/SHA256SUMS`, Buffer.from(sums.join('')), false);
    return { pointer, files: sums.length + 1, bytes: zip.end() };
  });
}

function listParts(storage: Storage, pointer: Pointer, routes: Iterable<Route>): Part[] {
  const parts: Part[] = [{ name: pointerFile, sha256: null, isPacked: false }];
  for (const sha256 of objectsOfTable(storage, pointer.routes)) {
    parts.push({ name: objectPath(sha256), sha256, isPacked: false });
  }
  for (const { path, sha256, media_type } of routes) {
    parts.push({ name: checkoutPath(path), sha256, isPacked: isDownloadType(media_type) });
  }
  // Two shards with the same bytes are one object.
  const byName = new Map(parts.map((part) => [part.name, part]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function soundBytes(storage: Storage, { name, sha256 }: Part): Uint8Array {
  const from = sha256 === null ? name : objectPath(sha256);
  const bytes = explainFile(from, `the bytes of ${name}`, () => storage.read(from));
  if (bytes === null) throw new Failure('site_damaged', `${name}: expected its bytes at ${from}, got no file`);
  const got = hash('sha256', bytes);
  if (sha256 !== null && got !== sha256)
    throw new Failure('site_damaged', `${name}: expected the bytes of ${from}, got SHA-256 ${got}`);
  return bytes;
}

/** The README for people who unpack a bundle. `resources`: the number of addresses. */
function bundleReadme({ revision, sequence, published_at }: Pointer, resources: number): string {
  return `Publication ${sequence}, revision ${revision}, published ${published_at}: ${resources} resources as files.

To read them as a site, without a connection:

    shelfpress serve --plain .

in this folder. Then:

    http://127.0.0.1:8080/                a web page to explore the data, if the site has one
    http://127.0.0.1:8080/v1              the start of the API
    http://127.0.0.1:8080/v1/openapi.json a description of every address

Any other server of static files works too, with this folder as its root. An address of the service is a file here: /v1/brands
is v1/brands.json, /v1 is v1/index.json. An address that ends in a file extension keeps its name, such as the next pages of
lists. A server that does not add .json, such as python3 -m http.server, shows a list of files at /v1/brands: add .json
there. Links between documents are addresses of the service. If the site was built with a base URL, they are URLs that
lead there.

What a static server cannot do: the comparison, search, lists with a query, problem bodies, and the headers of the
service. Everything they are computed from is here: v1/search/index.json, v1/availability/, the lists and their pages.
Exports are gzip, with the same tables as Parquet beside them: gunzip -c v1/exports/*/products.ndjson.gz.
For spreadsheets, gunzip v1/exports/*/products.csv.gz, v1/exports/prices.csv.gz and v1/exports/daily/*.csv.gz.
In DuckDB: SELECT * FROM 'v1/exports/*/products.parquet'. v1/exports/daily.parquet has price, status and stock of every
product by publication; v1/exports/changes.parquet and v1/exports/changes/newest.parquet have the changes.

To check that every file is whole:

    sha256sum -c SHA256SUMS

current.json is the pointer of the site that this comes from, and current.json.sig its signature, if the site is signed.
objects/ has the route table that the pointer names by hash; the table names every file by hash. So whoever trusts the
pointer can check all of it.
`;
}
