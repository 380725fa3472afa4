import { Output } from '../terminal/output.ts';
import { handleLostOutput, programFor, runProgram } from './program.ts';

const args = process.argv.slice(2);
handleLostOutput(args);
process.exitCode = await runProgram(args, new Output(), (output) => programFor(args, output));
