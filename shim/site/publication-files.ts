import { formatPath } from '../../contract/paths.ts';
import { type Profile, usualProfile } from '../../contract/profile.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { Reading } from './reading.ts';

const metadata = formatPath('metadata');

const profileReading: Reading<Profile> = {
  name: 'profile',
  of: (bytes, read) => read('metadata_profile', bytes).data.service.profile ?? usualProfile,
};

/** The files that searches, comparisons and selections read. All of them belong to one publication. */
export abstract class PublicationFiles {
  /** Whether the publication has exactly this path. */
  abstract has(path: string): Promise<boolean>;

  /** The document at a path as `reading` parses it, or null when the publication has no such path. */
  abstract read<Value>(path: string, reading: Reading<Value>): Promise<Value | null>;

  /** Reads several paths together, in their order. */
  async readAll<Value>(paths: readonly string[], reading: Reading<Value>): Promise<(Value | null)[]> {
    return Promise.all(paths.map((path) => this.read(path, reading)));
  }

  /** The profile of the agency. */
  async profile(): Promise<Profile> {
    return (await this.read(metadata, profileReading)) ?? usualProfile;
  }

  /** Like {@link read}, for a path that every publication has. */
  async require<Value>(path: string, reading: Reading<Value>): Promise<Value> {
    return (await this.requireAll([path], reading))[0] as Value;
  }

  /**
   * Like {@link readAll}, for paths that every publication has. Rejects with an {@link UnreadableError} when one is
   * missing.
   */
  async requireAll<Value>(paths: readonly string[], reading: Reading<Value>): Promise<Value[]> {
    const values = await this.readAll(paths, reading);
    const missing = values.indexOf(null);
    if (missing >= 0) throw new UnreadableError(`${paths[missing]}: the publication has no such address`, null);
    return values as Value[];
  }
}
