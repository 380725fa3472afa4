/** A failure that is explained to whoever ran the command: one clear message, exit code 1, no stack trace. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}

/** What a use of a file gives; where the system refuses it, a Failure that says what was expected of the file. */
export function explainFile<Result>(file: string, expected: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === undefined) throw error;
    throw new Failure(`${file}: expected ${expected}, got ${code}`);
  }
}
