import { limitHeapGrowth } from '../../shim/node/server-process.ts';

/** For commands that hold every route of a site: without a limit, most of their peak is garbage. */
export function limitHeapOfRoutes(): void {
  limitHeapGrowth(33);
}
