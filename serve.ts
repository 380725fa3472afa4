import { Command } from 'commander';
import { Output } from './generator/commands/command-line.ts';
import { addCommonRules, handleLostOutput, runProgram } from './generator/commands/program.ts';
import { defineServe } from './generator/commands/serve.ts';

/** Builds the bundled fixtures, so that a fresh clone has something to serve. */
async function buildFixtures(dist: string): Promise<void> {
  console.error(`${dist} has no publication yet: building the bundled fixtures`);
  const preview = await import('./generator/preview.ts');
  await preview.buildFixtures(dist);
}

handleLostOutput();
process.exitCode = await runProgram(process.argv.slice(2), new Output(), async (output) => {
  const program = new Command('serve.ts')
    .description('serve a built site over HTTP, read-only; without --dist, build the fixtures if dist is empty')
    .exitOverride();
  defineServe(program, output, buildFixtures);
  addCommonRules(program);
  return program;
});
