import { runScripts } from '../http/script-runner.ts';
import { EdgeServers } from './edge-servers.ts';

// The runtime hands over a parsed URL.
runScripts(() => EdgeServers.prepare(), { seesRawTargets: false });
