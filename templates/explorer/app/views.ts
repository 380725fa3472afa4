import { Api } from '../views/api.tsx';
import { Brand } from '../views/brand.tsx';
import { Browse } from '../views/browse.tsx';
import { Changes } from '../views/changes.tsx';
import { Compare } from '../views/compare.tsx';
import { Data } from '../views/data.tsx';
import { Family } from '../views/family.tsx';
import { Home } from '../views/home.tsx';
import { Problem } from '../views/problem.tsx';
import { Problems } from '../views/problems.tsx';
import { Product } from '../views/product.tsx';
import { Search } from '../views/search.tsx';
import { Store } from '../views/store.tsx';
import { Stores } from '../views/stores.tsx';
import type { View } from './router.ts';

/** Every view by the first part of its address. All are in one script, which is sooner there than a file for each. */
export const views: Readonly<Record<string, View>> = {
  ...{ api: Api, brand: Brand, browse: Browse, changes: Changes, compare: Compare, data: Data, family: Family },
  ...{
    home: Home,
    problem: Problem,
    problems: Problems,
    product: Product,
    search: Search,
    store: Store,
    stores: Stores,
  },
};
