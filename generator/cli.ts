import { Command, CommanderError } from 'commander';
import { addBuild } from './commands/build.ts';
import { addBundle } from './commands/bundle.ts';
import { Output } from './commands/command-line.ts';
import { addDeploy } from './commands/deploy.ts';
import { addFollow } from './commands/follow.ts';
import { addHosts } from './commands/hosts.ts';
import { addKeygen } from './commands/keygen.ts';
import { addMirror } from './commands/mirror.ts';
import { addPublish } from './commands/publish.ts';
import { addVerify } from './commands/verify.ts';
import { addWorker } from './commands/worker.ts';
import { failureOf } from './failure.ts';
import { formatProblem, SnapshotError } from './publish/snapshot/problem.ts';

const exitCode = { success: 0, failure: 1, usage: 2 };

/** Runs a command line. Resolves to the exit code: 0 success, 1 an explained failure, 2 wrong usage. */
async function run(args: readonly string[], output: Output): Promise<number> {
  const program = new Command('shelfpress')
    .description('turn snapshots of reported inventory into a static, verifiable JSON service')
    .exitOverride()
    .showHelpAfterError('(--help shows how it is used)');
  addPublish(program, output);
  addBuild(program, output);
  addVerify(program, output);
  addHosts(program, output);
  addMirror(program, output);
  addBundle(program, output);
  addDeploy(program, output);
  addKeygen(program, output);
  addFollow(program, output);
  addWorker(program, output);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    if (error instanceof SnapshotError) return explainSnapshot(error, output);
    const failure = failureOf(error);
    if (failure === null) throw error;
    output.error(`shelfpress: ${failure.message}`);
    return exitCode.failure;
  }
}

function explainSnapshot({ snapshot, problems }: SnapshotError, output: Output): number {
  for (const problem of problems.shown) output.error(formatProblem(problem));
  const { total, shown } = problems;
  const more = total > shown.length ? `, of which the first ${shown.length} are shown` : '';
  output.error(`shelfpress: snapshot ${snapshot} was not published: ${total} problem${total === 1 ? '' : 's'}${more}`);
  return exitCode.failure;
}

// A reader such as `| head` may close the output early. Nobody reads the rest, so the process ends.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCode.failure);
});

process.exitCode = await run(process.argv.slice(2), new Output());
