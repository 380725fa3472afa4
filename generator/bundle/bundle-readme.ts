import type { Pointer } from '../contract/site.ts';

/** What whoever unpacks a bundle reads first. `resources`: how many addresses it answers. */
export function bundleReadme({ revision, sequence, published_at }: Pointer, resources: number): string {
  return `Publication ${sequence}, revision ${revision}, published ${published_at}: ${resources} resources as files.

To read them as a site, without a connection:

    python3 -m http.server 8000

in this folder, or any other server of static files with this folder as its root. Then:

    http://127.0.0.1:8000/v1/index.json      where everything begins
    http://127.0.0.1:8000/v1/openapi.json    what every address answers

An address of the service is a file here: /v1/brands is v1/brands.json, /v1 is v1/index.json, and an address that ends in a
file extension keeps its name, as the next pages of lists do. Links between documents are the addresses of the service: add
.json to those without an extension. Where the site was built for one address, they are URLs that lead there.

What a static server cannot do: the comparison, search, lists with a query, problem bodies, and the headers of the
service. Everything they are computed from is here: v1/search/index.json, v1/availability/, the lists and their pages.
Exports are gzip: gunzip -c v1/exports/*/products.ndjson.gz

To check that every file is whole:

    sha256sum -c SHA256SUMS

current.json is the pointer of the site that this comes from, and current.json.sig its signature where it is signed. objects/
has the route table that the pointer names by hash; the table names every file by hash. So whoever trusts the pointer
can check all of it.
`;
}
