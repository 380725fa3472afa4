import { catalogs } from '../catalogs/catalogs.ts';
import { explorer } from '../page/explorer.ts';
import type { Wing } from './wing.ts';

/** The parts that a site can do without. To remove one, delete its folder, and its import and name here. */
export const wings: readonly Wing[] = [catalogs, explorer];
