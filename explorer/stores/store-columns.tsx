import type { Column } from '../parts/table-columns.ts';
import { distanceText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';

/** A store in a row, and its distance from the reader's place in metres; null if not known. */
export type StoreInRow = { readonly id: string; readonly name: string; readonly distance: number | null };

/** The linked name of a store, and its distance. A narrow window shows both in one column. */
export function storeColumns<Row>(of: (row: Row) => StoreInRow): readonly Column<Row>[] {
  return [
    {
      label: 'Store',
      value: (row) => of(row).name,
      show: (row) => {
        const { id, name, distance } = of(row);
        return (
          <>
            <a href={hrefFor('store', id)}>{name}</a>
            {distance !== null && <span class="narrow muted">{distanceText(distance)}</span>}
          </>
        );
      },
    },
    { ...distanceColumn((row: Row) => of(row).distance), isMinor: true },
  ];
}

/** The distance of a store; hidden if no place is chosen. */
export function distanceColumn<Row>(of: (row: Row) => number | null): Column<Row> {
  const text = (distance: number | null) => (distance === null ? '–' : distanceText(distance));
  return {
    label: 'Distance',
    unit: 'm',
    value: (row) => {
      const distance = of(row);
      return distance && Math.round(distance);
    },
    show: (row) => text(of(row)),
    isNumber: true,
    isOptional: true,
  };
}
