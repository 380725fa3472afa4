import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainFile } from '../files/failure.ts';
import { beginFolder, writableFolder } from '../files/new-folder.ts';

const bufferedCharacters = 1024 * 1024;

export type SnapshotWriter = ReturnType<typeof snapshotWriter>;

/**
 * Writes a snapshot into a temporary folder, which is renamed when it is complete. Throws a Failure if the name exists:
 * no snapshot is overwritten.
 */
export function snapshotWriter(out: string) {
  const { temporary, commit, discard } = beginFolder(out, 'import');
  const pending = new Map<string, string>();
  const append = (file: string, text: string) => {
    explainFile(out, writableFolder, () => appendFileSync(join(temporary, file), text, { flush: true }));
    pending.set(file, '');
  };
  return {
    temporary,
    /** Adds a line to a file. Without `value`, only begins the file. */
    line(file: string, value?: object): void {
      const text = (pending.get(file) ?? '') + (value === undefined ? '' : `${JSON.stringify(value)}\n`);
      pending.set(file, text);
      if (text.length > bufferedCharacters) append(file, text);
    },
    document(file: string, value: object): void {
      pending.set(file, `${JSON.stringify(value, null, 2)}\n`);
    },
    /** Writes everything pending, so that the folder can be read under its temporary name. */
    finish(): void {
      for (const [file, text] of pending) append(file, text);
    },
    commit,
    discard,
  };
}
