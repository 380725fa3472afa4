import { runScripts } from '../http/script-runner.ts';
import { EdgeServers } from './edge-servers.ts';

// The runtime gives the worker a parsed URL.
runScripts(() => EdgeServers.prepare(), { seesRawTargets: false });
