import { LocalEdge, type LocalWorker } from './local-edge.ts';

/** Reads of the bucket for a request: class B operations of R2. */
export type EdgeReads = {
  readonly kind: string;
  /** Reads of a new isolate; the pointer and the root of the route table are among them. */
  readonly first: number;
  /** Reads of an isolate that has answered another question about the same publication. */
  readonly settled: number;
  /** Reads when the same question is asked again. */
  readonly again: number;
};

type EdgeQuestion = {
  readonly kind: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly target: string;
};

const bucket = 'site';
const variables = { CURSOR_SECRET: 'a secret of these tests', LOG_REQUESTS: 'true' };

function worker(name: string): LocalWorker {
  return { name, bucket, variables, ratePerMinute: null };
}

/** Asks every kind of question about a built site, each in its own isolates. */
export async function measureReads(dist: string): Promise<EdgeReads[]> {
  await using guide = await LocalEdge.start([worker('guide')]);
  await guide.upload(dist, 'guide');
  const questions = await edgeQuestions(await guide.urlOf('guide'));
  const names = questions.flatMap((_, number) => [`first-${number}`, `settled-${number}`]);
  await using edge = await LocalEdge.start(names.map(worker));
  await edge.upload(dist, names[0] ?? '');
  const found: EdgeReads[] = [];
  for (const [number, question] of questions.entries()) found.push(await readsOf(edge, question, number));
  return found;
}

async function readsOf(edge: LocalEdge, question: EdgeQuestion, number: number): Promise<EdgeReads> {
  const first = await readsAfter(edge, `first-${number}`, 'cold', question);
  const before = await readsAfter(edge, `settled-${number}`, 'before', {
    kind: 'nothing',
    target: '/v1/nowhere',
  });
  const settled = await readsAfter(edge, `settled-${number}`, 'settled', question);
  const again = await readsAfter(edge, `settled-${number}`, 'again', question);
  return { kind: question.kind, first, settled: settled - before, again: again - settled };
}

/** The total reads of an isolate after an answer. The client's address identifies the line in the log. */
async function readsAfter(edge: LocalEdge, name: string, turn: string, question: EdgeQuestion): Promise<number> {
  const client = `${name}-${turn}`;
  const headers = { ...question.headers, 'CF-Connecting-IP': client };
  const answer = await fetch(new URL(question.target, await edge.urlOf(name)), { headers });
  await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`${question.kind}: ${name} answered with ${answer.status}`);
  const { bucket_reads: reads } = await edge.logged({ client });
  return reads as number;
}

type Products = {
  readonly data: readonly { readonly id: string; readonly source_ids: { readonly agency_sku: string } }[];
};
type Stores = {
  readonly data: readonly { readonly location: { readonly latitude: number; readonly longitude: number } | null }[];
};
type Brands = { readonly data: readonly { readonly name: string }[] };

/**
 * Questions about the site at a URL. Rejects if it has fewer than 25 products, no store with a location, or no brand.
 */
async function edgeQuestions(url: URL): Promise<EdgeQuestion[]> {
  const documentAt = async (path: string): Promise<unknown> => (await fetch(new URL(path, url))).json();
  const { data: products } = (await documentAt('/v1/products')) as Products;
  const { data: stores } = (await documentAt('/v1/stores')) as Stores;
  const { data: brands } = (await documentAt('/v1/brands')) as Brands;
  const { revision } = ((await documentAt('/v1/metadata')) as { data: { publication: { revision: string } } }).data
    .publication;
  const place = stores.find(({ location }) => location !== null)?.location;
  const [product] = products;
  const [brand] = brands;
  if (products.length < 25 || !product || !place || !brand) {
    throw new Error(`expected a site of at least 25 products, a store and a brand at ${url}`);
  }
  const comparing = (count: number) => {
    const skus = products.slice(0, count).map(({ source_ids }) => source_ids.agency_sku);
    const { latitude, longitude } = place;
    return `/v1/availability/comparison?skus=${skus.join()}&lat=${latitude}&lng=${longitude}&radius_m=200000`;
  };
  const [word = ''] = brand.name.split(' ');
  return [
    { kind: 'document', target: `/v1/products/${product.id}` },
    {
      kind: 'document that the client has',
      headers: { 'If-None-Match': '*' },
      target: `/v1/products/${product.id}`,
    },
    { kind: 'list', target: '/v1/changes' },
    { kind: 'page of a list', target: '/v1/changes/pages/1.json' },
    { kind: 'selection', target: '/v1/changes?types=price_changed&limit=1' },
    { kind: 'search', target: `/v1/search?q=${encodeURIComponent(word)}&limit=1` },
    { kind: 'comparison of 3 products', target: comparing(3) },
    { kind: 'comparison of 25 products', target: comparing(25) },
    { kind: 'export', target: `/v1/exports/${revision}/products.ndjson.gz` },
  ];
}
