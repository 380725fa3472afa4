import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow by no more than so many percent of what is alive before it is collected. Where the machine has much
 * memory, V8 lets it grow several times over. For this process and the threads that it starts from now on.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
