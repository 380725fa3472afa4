import { Output } from './commands/command-line.ts';
import { programFor } from './commands/commands.ts';
import { handleLostOutput, runProgram } from './commands/program.ts';

const args = process.argv.slice(2);
handleLostOutput();
process.exitCode = await runProgram(args, new Output(), (output) => programFor(args, output));
