import { Failure } from '../../files/failure.ts';

const name = '@aws-sdk/client-s3';

/** Throws a Failure if the package is missing. Most sites need no buckets, so shelfpress does not install it. */
export function requireS3Package(): void {
  try {
    import.meta.resolve(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Failure(
      'package_missing',
      `deploy needs the package ${name}, which is not installed: run npm install --global ${name}, or without --global if shelfpress is a dependency`,
    );
  }
}
