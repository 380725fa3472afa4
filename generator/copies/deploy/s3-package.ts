import { Failure } from '../../files/failure.ts';

const name = '@aws-sdk/client-s3';

/**
 * Throws a Failure if the package for buckets is missing. Most sites need none, so it is not installed with shelfpress.
 */
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
