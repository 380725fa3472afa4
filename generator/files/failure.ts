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
  /** Its kind. docs/troubleshooting.md says of each what leads to it, and what to do. */
  readonly code: FailureCode;
  /** The explanation for people, line by line. The last line is the summary. */
  readonly lines: readonly string[];
  /** What programs are told beside the message. */
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

/** Reasons, in words, why the operating system refuses the use of a file. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'something of that name is there already',
  EFBIG: 'the file would be larger than is allowed',
  EINVAL: 'it is of another kind than expected',
  EIO: 'the disk reports an input/output error',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go in a circle',
  EMFILE: 'too many files are open',
  EMLINK: 'the file has too many names already',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENODEV: 'there is no such device',
  ENOENT: 'there is no such file or folder',
  ENOMEM: 'the memory is used up',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is no folder',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'there is no such device',
  EPERM: 'it is not permitted',
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
 * Turns an error into a Failure: a Failure as it is, or an error of the operating system in words. Null for an error of
 * the program.
 */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (!isSystemError(error)) return null;
  const { path, syscall = 'use', code } = error;
  return new Failure('file', `${path ?? 'a file'}: ${reasons[code]} (${syscall}: ${code})`);
}

/**
 * Uses a file and returns the result. When the system refuses, throws a Failure that says what was expected of the
 * file.
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

/** Uses a file and returns the result. Adds the path to an error of the system that does not name it. */
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

/** A count as people read it: `1,000,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count and its noun, in the plural unless it is one: `1 fault`, `12 faults`. */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${countText(count)} ${count === 1 ? noun : plural}`;
}
