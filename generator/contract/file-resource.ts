import { ndjsonMediaType, textMediaType } from './headers.ts';
import type { PathKind } from './paths.ts';

/** What an address answers with that is a file and no JSON document. */
type FileResource = {
  readonly summary: string;
  readonly content: string;
  readonly mediaType: string;
  /** A compressed file is sent as it is, and in parts to whoever asks for a range of it. */
  readonly encoding: 'gzip' | null;
};

const files = {
  export: {
    summary: 'An export file',
    content: 'One header record, then data records, compressed with gzip',
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
  },
  change_piece: {
    summary: 'A piece of the change history: 10,000 events, oldest first',
    content: 'A record for each event and no header, compressed with gzip',
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
  },
  export_checksums: {
    summary: 'SHA-256 of the export files of a publication, as sha256sum -c reads it',
    content: 'A line for each file: its SHA-256 in hex, two blanks, its name',
    mediaType: textMediaType,
    encoding: null,
  },
} as const satisfies Partial<Record<PathKind, FileResource>>;

/** Kinds of addresses that answer with a file. */
export type FileKind = keyof typeof files;

export function isFileKind(kind: PathKind): kind is FileKind {
  return kind in files;
}

export function fileResource(kind: FileKind): FileResource {
  return files[kind];
}

/** Whether an address answers to entity tags alone and has ranges, contract.md 5. */
export function isDownload(kind: PathKind): boolean {
  return isFileKind(kind) && files[kind].encoding !== null;
}
