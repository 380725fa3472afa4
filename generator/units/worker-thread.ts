import { workInThread } from './worker-pool.ts';

// The entry of a worker thread of a build.
workInThread();
