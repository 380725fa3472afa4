import { workInThread } from './worker-pool.ts';

// What a worker thread of a build starts with. In a clone, worker.mjs registers the TypeScript loader first.
workInThread();
