import { explainFile, Failure } from '../failure.ts';

/** What was read cannot be written or remembered: to look again would not help, and could write events twice. */
export class WriteFailure extends Failure {
  override readonly name = 'WriteFailure';
}

/** What a use of a file gives; where the system refuses it, a {@link WriteFailure}. */
export function explainWrite<Result>(file: string, use: () => Result): Result {
  try {
    return explainFile(file, 'a file that can be written', use);
  } catch (error) {
    throw error instanceof Failure ? new WriteFailure(error.message) : error;
  }
}
