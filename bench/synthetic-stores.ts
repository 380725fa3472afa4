import type { StoreLine } from '../generator/snapshot/format.ts';
import { integer, pick, type Random } from '../test/support/random.ts';
import { NameSource } from './synthetic-names.ts';
import type { SeriesSize } from './synthetic-size.ts';

const hours = [
  'Monday - Saturday, 10:00 am to 10:00 pm',
  'Monday - Saturday, 11:00 am to 7:00 pm',
  'Monday - Friday, noon to 6:00 pm',
  null,
];

/** The agency's store directory. The first store has no inventory code; the next ones are the inventory scope. */
export class SyntheticStores {
  readonly stores: readonly StoreLine[];
  readonly scope: readonly string[];
  readonly #random: Random;

  constructor(random: Random, { stores, scopeStores }: SeriesSize) {
    this.#random = random;
    const names = new NameSource(random);
    this.stores = Array.from({ length: stores }, (_, index) => storeOf(random, names, index));
    this.scope = this.stores.flatMap(({ inventory_store_code: code }) => code ?? []).slice(0, scopeStores);
  }

  /** Makes the next directory, in which one store has different hours. */
  renew(seenAt: string): void {
    const changed = pick(this.#random, this.stores);
    changed.regular_hours = pick(this.#random, hours);
    for (const store of this.stores) store.directory_presence = { state: 'present', last_seen_at: seenAt };
  }
}

function storeOf(random: Random, names: NameSource, index: number): StoreLine {
  const { name: city } = names.next();
  const decimal = (first: number, last: number) => integer(random, first * 10_000, last * 10_000) / 10_000;
  return {
    inventory_store_code: index === 0 ? null : String(index).padStart(4, '0'),
    directory_id: `directory-${index}`,
    name: index === 0 ? 'Head Office' : `Store ${index}, ${city}`,
    address: {
      line1: `${integer(random, 10, 990)} ${names.next().name} Street`,
      line2: null,
      city,
      region: 'CX',
      postal_code: String(index).padStart(5, '0'),
    },
    phone: `+1555555${String(index).padStart(4, '0')}`,
    location: { latitude: decimal(37, 42), longitude: decimal(-114, -109) },
    access_type: index === 0 ? 'licensee_only' : index % 3 === 0 ? 'package_agency' : 'consumer_state_store',
    operational_status: { state: 'open', note: null, source: 'reviewed_editorial' },
    services: index % 5 === 0 ? ['parking', 'wine_store'] : ['parking'],
    regular_hours: pick(random, hours),
    directory_presence: null,
  };
}
