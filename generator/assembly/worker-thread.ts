import { workInThread } from '../units/worker-pool.ts';
import { siteContents } from './build-site.ts';

// The entry of a worker thread of a build.
workInThread((await siteContents()).stages);
