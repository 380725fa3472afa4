import type { CheckedSnapshot } from './checked-snapshot.ts';
import type { RowFaults } from './snapshot/row-faults.ts';
import type { CheckedRows } from './snapshot/rows.ts';

/** Is told the stage of a publication, and how many of `total` rows of it are done. */
export type PublishProgress = (stage: string, done: number, total: number) => void;

const rowsBetween = 500;

/** The same snapshot. Its rows tell `progress` when they are used. */
export function withProgress(checked: CheckedSnapshot, faults: RowFaults, progress: PublishProgress): CheckedSnapshot {
  const { products, inventory } = checked;
  const counter = (part: string) => {
    const total = faults.goodRows(`${part}.ndjson`);
    let done = 0;
    return () => {
      if (done % rowsBetween === 0) progress(part, done, total);
      done += 1;
    };
  };
  return {
    ...checked,
    products: products && { ...products, lines: counted(products.lines, counter('products')) },
    inventory: inventory && { ...inventory, lines: counted(inventory.lines, counter('inventory')) },
  };
}

function counted<Row>(rows: CheckedRows<Row>, count: () => void): CheckedRows<Row> {
  return Symbol.iterator in rows ? countedHere(rows, count) : countedLater(rows, count);
}

function* countedHere<Row>(rows: Iterable<Row>, count: () => void): Generator<Row> {
  for (const row of rows) {
    count();
    yield row;
  }
}

async function* countedLater<Row>(rows: AsyncIterable<Row>, count: () => void): AsyncGenerator<Row> {
  for await (const row of rows) {
    count();
    yield row;
  }
}
