/** The kinds of failures. docs/troubleshooting.md has a section for each. */
export const failureCodes = [
  'already_there',
  'bucket',
  'busy',
  'cannot_listen',
  'correction',
  'database_damaged',
  'database_foreign',
  'database_missing',
  'file',
  'folder_of_something_else',
  'follow_position',
  'host_answer',
  'host_failed',
  'host_redirect',
  'import_faults',
  'outline',
  'package_missing',
  'partial_mirror',
  'profile',
  'program',
  'settings_faults',
  'signature',
  'site_damaged',
  'site_missing',
  'site_of_other_database',
  'snapshot_changed',
  'snapshot_faults',
  'snapshot_order',
  'stopped_by_guard',
  'too_large',
  'undated',
  'would_lose',
  'wrong_usage',
  'wrong_value',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** A failure that is explained to the person who ran the command: one clear message, exit code 1, no stack trace. */
export class Failure extends Error {
  override readonly name: string = 'Failure';
  /** The kind of the failure. docs/troubleshooting.md explains the cause of each kind, and what to do. */
  readonly code: FailureCode;
  /** The explanation for people, line by line. The last line is the summary. */
  readonly lines: readonly string[];
  /** Details for programs, beside the message. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: FailureCode,
    message: string,
    { lines = [message], facts = {} }: Partial<Pick<Failure, 'lines' | 'facts'>> = {},
  ) {
    super(message);
    this.code = code;
    this.lines = lines;
    this.facts = facts;
  }
}

/** Why the operating system refuses to use a file, in words. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something with that name already exists',
  EFBIG: 'the file would be larger than allowed',
  EINVAL: 'it is not of the expected kind',
  EIO: 'the disk reports an input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a circle',
  EMFILE: 'too many files are open',
  EMLINK: 'the file already has too many names',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENODEV: 'no such device',
  ENOENT: 'no such file or folder',
  ENOMEM: 'out of memory',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'no such device',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'it is in use',
  EXDEV: 'it is on another file system',
};

/** `ENOSPC (the disk is full)` */
export function systemReason(code: string): string {
  return code in reasons ? `${code} (${reasons[code]})` : code;
}

type SystemError = Error & { readonly code: string; readonly syscall?: string; path?: string };

/**
 * Turns an error into a Failure: returns a Failure as it is, and puts an error of the operating system into words. Null
 * for a bug in the program.
 */
export function asFailure(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (!isSystemError(error)) return null;
  const { path, syscall = 'use', code } = error;
  return new Failure('file', `${path ?? 'a file'}: ${reasons[code]} (${syscall}: ${code})`);
}

/**
 * Uses a file and returns the result. When the system refuses, throws a Failure that says what was expected there.
 */
export function explainFile<Result>(file: string, expected: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const got = error.code === 'ENOENT' ? 'no such file or folder' : systemReason(error.code);
    throw new Failure('file', `${file}: expected ${expected}, got ${got}`);
  }
}

/** Uses a file and returns the result. Adds the path to an error of the system that lacks it. */
export function namingFile<Result>(file: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    if (isSystemError(error)) error.path ??= file;
    throw error;
  }
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code in reasons;
}

/** A count with separators: `1,000,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count and its noun: `1 fault`, `12 faults`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}
