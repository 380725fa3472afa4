import { countText } from '../../files/failure.ts';
import { profileIn } from '../../snapshot/format.ts';
import {
  type Guard,
  inField,
  isNowhere,
  ofNew,
  ofShare,
  outlyingStores,
  overTime,
  uncoveredStores,
  withAdvice,
} from './guard-rules.ts';

export const storeGuards = [
  {
    name: 'directory',
    example: 'an empty directory',
    ...overTime(
      ofShare('loses % stores of the directory', inField('stores', 'gone'), [0.2, 5, 0.01]),
      'directory_stores',
      [0.7, 5],
      'stores of the directory',
    ),
  },
  { name: 'new-stores', example: 'every store once more under a new code', ...ofNew('stores', [0.2, 5, 0]) },
  {
    name: 'store-names',
    example: 'store codes shifted by one row',
    ...ofShare('renames % stores that stay', inField('stores', 'renamed'), [0.2, 5, 0]),
  },
  {
    name: 'store-addresses',
    example: 'store codes shifted by one row',
    ...ofShare('gives another address to % stores that stay', inField('stores', 'readdressed'), [0.2, 5, 0]),
  },
  {
    name: 'store-locations',
    example: 'longitudes without their sign',
    ...ofShare(
      'moves % stores that stay by more than 0.1 degrees, or to no location',
      inField('stores', 'relocated'),
      [0.2, 5, 0],
    ),
  },
  {
    name: 'closures',
    example: 'every store closed',
    ...ofShare('closes % stores that stay', inField('stores', 'closed'), [0.2, 5, 0.01]),
  },
  {
    name: 'outlying-stores',
    example: 'latitude and longitude swapped',
    ...withAdvice(
      ofShare(
        'puts % stores in a new place north of 80° N, south of 56° S, at 0, 0, or more than 20 degrees from the middle of at least 10 stores',
        outlyingStores,
        [0, 1, 0],
      ),
      ({ locations }) =>
        locations.some(isNowhere)
          ? '"null_when" in the recipe, in the rules of latitude and longitude, says which values mean no place'
          : null,
    ),
  },
  {
    name: 'scope',
    example: 'half of the stores left out, or all',
    ...overTime(
      {
        limit:
          'has an inventory that covers no store, or leaves out more than 20 % of the stores that the inventory before covered, at least 3',
        seen: '0 %',
        trips: (facts) => {
          const { covered, attempts } = facts.inventory;
          if (covered?.size === 0 && attempts > 0 && profileIn(facts.header).inventory === 'stores')
            return 'has an inventory that covers no store: expected some in inventory_scope.json';
          const { moved, of } = uncoveredStores(facts);
          if (moved < 3 || moved <= of() * 0.2) return null;
          return `leaves out ${countText(moved)} of ${countText(of())} stores that the inventory before covered: expected at most 20 %`;
        },
      },
      'scope_stores',
      [0.7, 5],
      'covered stores',
    ),
  },
] as const satisfies readonly Guard[];
