import { segmentPages } from '../../generator/contract/formats/list-reading.ts';
import { checked, type Reading } from '../site/verified-objects.ts';

/** The summary of the events of a page or segment; `stores` are positions in a table of ids. */
export type EventSummary = {
  readonly retrieved: readonly [oldest: string, newest: string];
  readonly types: readonly string[];
  readonly stores: { includes(position: number): boolean };
};

/** The pages of a segment, oldest first, and the table of their stores. */
export type SegmentSummaries = {
  readonly number: number;
  readonly pages: readonly EventSummary[];
  readonly stores: readonly string[];
};

/** Bytes of memory that a page's summary takes without its stores, and the id of a store. */
const [summaryMemory, storeMemory] = [500, 64];

/** Products of a segment. They are the largest part of it, and no selection uses them. */
const products = /,"products":\[[^\]]*\]/g;

/** Reads a segment without its products. */
export const segmentReading: Reading<SegmentSummaries> = {
  name: 'page segment',
  memoryOf: ({ pages, stores }) => pages.length * (summaryMemory + 2 * stores.length) + stores.length * storeMemory,
  of(bytes) {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const { number, pages, stores } = checked(segmentPages, JSON.parse(text.replace(products, '')));
    const summaries = pages.map(({ retrieved, types, stores }) => ({
      retrieved,
      types,
      stores: Uint16Array.from(stores),
    }));
    return { number, stores, pages: summaries };
  },
};
