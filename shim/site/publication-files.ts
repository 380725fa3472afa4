import { metadataProfile } from '../../generator/contract/documents/metadata.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { type Profile, usualProfile } from '../../generator/contract/profile.ts';
import { parseJson, type Reading, UnreadableError } from './verified-objects.ts';

const metadata = pathOf('metadata');

const profileReading: Reading<Profile> = {
  name: 'profile',
  of: (bytes) => parseJson(metadataProfile, bytes).data.service.profile ?? usualProfile,
};

/** What searches, comparisons and selections read of one publication. All of it is of that publication. */
export abstract class PublicationFiles {
  /** Whether the publication has exactly this path. */
  abstract has(path: string): Promise<boolean>;

  /** The document at a path as `reading` parses it, or null when the publication has no such path. */
  abstract read<Value>(path: string, reading: Reading<Value>): Promise<Value | null>;

  /** Prepares to read several paths together. */
  async locate(_paths: readonly string[]): Promise<void> {}

  /** What is the agency's own. */
  async profile(): Promise<Profile> {
    return (await this.read(metadata, profileReading)) ?? usualProfile;
  }

  /** Like {@link read}, for paths that every publication has. Rejects with an {@link UnreadableError} when there is none. */
  async require<Value>(path: string, reading: Reading<Value>): Promise<Value> {
    const value = await this.read(path, reading);
    if (value === null) throw new UnreadableError(`${path}: the publication has no such address`, null);
    return value;
  }
}
