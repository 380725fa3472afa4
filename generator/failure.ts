/** A failure that is explained to whoever ran the command: one clear message, exit code 1, no stack trace. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
}
