import { Failure } from '../../files/failure.ts';

/** `prefix`: empty, or names that each end in a slash. */
export type BucketAddress = { readonly bucket: string; readonly prefix: string };

const bucketName = /^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/;

/** Every server and tool writes these characters in the same way. */
const prefixName = /^[A-Za-z0-9._~-]+$/;

/** Keys have at most 1,024 bytes; our longest name needs about 150 of them. */
const longestPrefix = 800;

/** `s3://bucket` or `s3://bucket/some/prefix`, perhaps with a slash at the end. Throws a Failure for other text. */
export function parseBucketAddress(text: string): BucketAddress {
  const [, bucket = '', rest = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(text) ?? [];
  const names = rest.replace(/\/$/, '').split('/');
  const isPlain = rest === '' || names.every((name) => prefixName.test(name) && !/^\.+$/.test(name));
  if (rest.length > longestPrefix) {
    throw new Failure(
      'wrong_value',
      `${text.slice(0, 80)}…: expected a prefix of at most ${longestPrefix} characters, got ${rest.length}`,
    );
  }
  if (!bucketName.test(bucket) || !isPlain) {
    throw new Failure(
      'wrong_value',
      `${text}: expected s3://BUCKET or s3://BUCKET/PREFIX, the prefix of letters, digits and . _ ~ - between slashes`,
    );
  }
  return { bucket, prefix: rest === '' ? '' : `${names.join('/')}/` };
}

/** The inverse of {@link parseBucketAddress}, without a slash at its end. With a name, the URL of that file. */
export function bucketUrl({ bucket, prefix }: BucketAddress, name = ''): string {
  return `s3://${bucket}/${prefix}${name}`.replace(/\/$/, '');
}
