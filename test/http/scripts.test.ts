import { runScripts } from './script-runner.ts';
import { Servers } from './servers.ts';

runScripts(() => Servers.prepare(), { seesRawTargets: true });
