import { Command } from 'commander';
import { addCommonRules, handleLostOutput, helpStyle, outputFor, runProgram } from './generator/cli/program.ts';
import { defineServe } from './generator/cli/serve.ts';
import { Output } from './generator/terminal/output.ts';

/** Builds the bundled fixtures, so that a fresh clone has something to serve. */
async function fill(folder: string, output: Output): Promise<void> {
  const { fillWithExample } = await import('./generator/cli/preview.ts');
  await fillWithExample(folder, output);
}

handleLostOutput(['serve']);
process.exitCode = await runProgram(process.argv.slice(2), new Output(), async (output) => {
  const program = new Command('serve.ts')
    .summary('serve a site over HTTP; without a folder, build the bundled example in dist/ if that has none')
    .configureHelp(helpStyle)
    .configureOutput(outputFor(output))
    .exitOverride();
  defineServe(program, output, { fill, folder: null });
  addCommonRules(program);
  return program;
});
