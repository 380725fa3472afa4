import { mostNews } from '../../contract/news-feed.ts';
import { formatPath } from '../../contract/paths.ts';
import type { Catalog } from '../documents/catalog.ts';
import { type NewsSubject, newsFeed, productPlaces, productTitle } from '../documents/news-feed.ts';
import type { Product } from '../documents/product.ts';
import { lastExpired } from '../documents/retention.ts';
import type { State } from '../documents/state.ts';
import type { DocumentWriter } from './document-writer.ts';
import { type BuildContext, digest, type Unit } from './kind.ts';

/** A feed to make. `events`: the numbers of its events, newest first. */
type NewsFacts = { readonly subject: NewsSubject; readonly events: readonly number[] };

/**
 * A unit for each feed. Every product has one, and every reviewed brand and category with a product. One pass over the
 * retained events finds the news for all of them, so a feed without new events is not made again.
 */
export function* newsUnits({ writer, catalog }: BuildContext): Generator<Unit<NewsFacts>> {
  const { state, hasExplorer } = writer;
  const { publication, corrections } = state;
  const all = digest([
    hasExplorer,
    state.aboutAt(publication.sequence),
    corrections.map(({ corrected_by }) => corrected_by.revision),
  ]);
  const feeds = newsFeeds(state, catalog);
  for (const { number, product } of retainedNews(writer)) {
    for (const { events } of feeds.ofProduct.get(product) ?? []) if (events.length < mostNews) events.push(number);
  }
  for (const { subject, events } of feeds.all) {
    const inputs = { all, title: digest([subject.title, subject.view]), events: digest(events) };
    yield { name: `feed of ${subject.name}`, inputs, facts: { subject, events }, weight: 1 };
  }
}

export function makeNews(writer: DocumentWriter, { subject, events }: NewsFacts): void {
  const rows = writer.reading(() => writer.news.rows(events));
  writer.writeFile(subject.path, newsFeed(writer.state, subject, rows, writer));
}

function retainedNews({ state, news }: DocumentWriter) {
  const expired = lastExpired(state);
  const lastBefore = expired === 0 ? 0 : state.publicationAt(expired).last_event;
  return news.numbers(lastBefore + 1, state.publication.last_event);
}

type Feed = { readonly subject: NewsSubject; readonly events: number[] };

/** All feeds of a publication, and by key the feeds that a product appears in, even if the catalog does not list it. */
function newsFeeds(state: State, catalog: Catalog) {
  const all: Feed[] = [];
  const add = (subject: NewsSubject): Feed => {
    const feed = { subject, events: [] };
    all.push(feed);
    return feed;
  };
  const brands = new Map(catalog.brands.map((brand) => [brand.id, once(() => add(brandSubject(brand)))]));
  const categories = new Map(
    catalog.categories.map((category) => [
      category.id,
      { parent_id: category.parent_id, feed: once(() => add(categorySubject(category))) },
    ]),
  );
  const ofProduct = new Map<number, readonly Feed[]>();
  for (const product of state.products) {
    const feeds = [add(productSubject(product))];
    const brand = product.brand_id === null ? undefined : brands.get(product.brand_id);
    if (brand) feeds.push(brand());
    let category = product.category_id === null ? undefined : categories.get(product.category_id);
    while (category) {
      feeds.push(category.feed());
      category = category.parent_id === null ? undefined : categories.get(category.parent_id);
    }
    ofProduct.set(product.key, feeds);
  }
  return { all, ofProduct };
}

/** A function that makes a value when it is first called, and returns the same one from then on. */
function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

function productSubject({ id, sku, brand, name, package_size }: Product): NewsSubject {
  return {
    name: `product ${id}`,
    title: productTitle({ brand, name, size: package_size.display }),
    path: formatPath('product_feed', { product_id: id }),
    ...productPlaces(id, sku),
  };
}

function brandSubject({ id, slug, name }: Catalog['brands'][number]): NewsSubject {
  return {
    name: `brand ${id}`,
    title: name,
    path: formatPath('brand_feed', { brand_id: id }),
    view: `#/brand/${slug}`,
    document: formatPath('brand', { brand_id: id }),
  };
}

function categorySubject({ id, name }: Catalog['categories'][number]): NewsSubject {
  return {
    name: `category ${id}`,
    title: name,
    path: formatPath('category_feed', { category_id: id }),
    view: `#/browse?category=${id}`,
    document: formatPath('categories'),
  };
}
