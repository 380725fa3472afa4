import { basename, dirname, join, resolve } from 'node:path';
import type { SystemCall } from './system-calls.ts';

/*
 * A disk that loses power. It is stricter than any file system in use: a synced file has its bytes, but no name until
 * its folder is synced. What was not synced may be there or not, each change by itself and in any order. Only a rename
 * is never half done.
 */

/** A file, a folder or a symbolic link. A file can have several names. */
type Node =
  | { readonly kind: 'file'; bytes: Buffer; synced: Buffer; readonly writes: FileWrite[] }
  | { readonly kind: 'folder'; readonly names: Map<string, Node>; readonly synced: Map<string, Node> }
  | { readonly kind: 'link'; readonly target: string };
type File = Extract<Node, { kind: 'file' }>;
type Folder = Extract<Node, { kind: 'folder' }>;

/** A change of a file's bytes that is not synced. */
type FileWrite = (bytes: Buffer) => Buffer;

/** A change of names that is not synced. A rename changes two. */
type Renaming = readonly { readonly folder: Folder; readonly name: string; readonly node: Node | null }[];

/**
 * The content of a disk: paths of files with their bytes, of links with their targets, and of folders. The same file
 * has the same bytes object.
 */
export type DiskState = ReadonlyMap<string, Buffer | { readonly target: string } | 'folder'>;

/** Says whether a change that was not synced survives. */
export type Luck = () => boolean;

/** Calls that flush something to the disk. */
const syncs = ['fsync', 'fdatasync', 'sync', 'syncfs'];

export class DiskModel {
  readonly #root: string;
  readonly #top: Folder = { kind: 'folder', names: new Map(), synced: new Map() };
  #pending: Renaming[] = [];
  #files = new Set<File>();
  /** Where the next `write` goes, by descriptor; null at the end of the file. */
  readonly #offsets = new Map<number, number | null>();

  /** `root`: the folder whose changes count. `before`: the initial content of the disk. */
  constructor(root: string, before: DiskState) {
    this.#root = root;
    const files = new Map<Buffer, File>();
    for (const [path, content] of [...before].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const folder = this.#folder(dirname(path));
      let node: Node;
      if (content === 'folder') node = { kind: 'folder', names: new Map(), synced: new Map() };
      else if ('target' in content) node = { kind: 'link', target: content.target };
      else node = files.get(content) ?? { kind: 'file', bytes: content, synced: content, writes: [] };
      if (node.kind === 'file' && content instanceof Buffer) files.set(content, node);
      folder.names.set(basename(path), node);
      folder.synced.set(basename(path), node);
    }
  }

  /** Makes the changes of a call. Returns the kind of change: none for calls in other folders. */
  apply({ name, words, strings, files, result, opened }: SystemCall): 'none' | 'change' | 'sync' {
    if (syncs.includes(name)) return this.#sync(name, files[0] ?? null);
    const [first, second] = namedPaths(name, strings, files);
    const number = (index: number) => Number(words[index] ?? 0);
    switch (name) {
      case 'open':
      case 'openat':
      case 'creat': {
        const flags = words.join('|');
        if (!/O_WRONLY|O_RDWR/.test(flags) && name !== 'creat') return 'none';
        const path = this.#within(opened);
        if (path === null) return 'none';
        this.#offsets.set(result, /O_APPEND/.test(flags) ? null : 0);
        const found = this.#find(path);
        if (found === null) {
          this.#rename([[path, this.#newFile()]]);
          return 'change';
        }
        if (found.kind !== 'file' || !/O_TRUNC/.test(flags) || found.bytes.length === 0) return 'none';
        this.#write(found, () => Buffer.alloc(0));
        return 'change';
      }
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev':
      case 'pwritev2': {
        const file = this.#file(files[0]);
        if (file === null) return 'none';
        const bytes = Buffer.concat(strings).subarray(0, result);
        const isPlaced = name.startsWith('p');
        const place = isPlaced
          ? number(words.length - (name === 'pwritev2' ? 2 : 1))
          : this.#advance(words, bytes.length);
        this.#write(file, (before) => written(before, bytes, place ?? before.length));
        return 'change';
      }
      case 'copy_file_range':
      case 'sendfile': {
        const [from, to] = name === 'sendfile' ? [files[1], files[0]] : [files[0], files[1]];
        const [source, file] = [this.#file(from), this.#file(to)];
        if (source === null || file === null || result === 0) return 'none';
        const end = file.bytes.length;
        const bytes = source.bytes.subarray(end, end + result);
        this.#write(file, (before) => written(before, bytes, end));
        return 'change';
      }
      case 'truncate':
      case 'ftruncate': {
        const file = this.#file(name === 'truncate' ? first : files[0]);
        if (file === null) return 'none';
        const length = number(1);
        this.#write(file, (before) => written(before, Buffer.alloc(0), length).subarray(0, length));
        return 'change';
      }
      case 'rename':
      case 'renameat':
      case 'renameat2': {
        const [from, to] = [this.#within(first), this.#within(second)];
        const node = from === null ? null : this.#find(from);
        if (from === null || to === null || node === null) return 'none';
        // Two names of one file both stay.
        if (node === this.#find(to)) return 'none';
        this.#rename([
          [from, null],
          [to, node],
        ]);
        return 'change';
      }
      case 'link':
      case 'linkat': {
        const [from, to] = [this.#within(first), this.#within(second)];
        const node = from === null ? null : this.#find(from);
        if (to === null || node === null) return 'none';
        this.#rename([[to, node]]);
        return 'change';
      }
      case 'symlink':
      case 'symlinkat': {
        const path = this.#within(second);
        if (path === null) return 'none';
        this.#rename([[path, { kind: 'link', target: String(strings[0]) }]]);
        return 'change';
      }
      case 'mkdir':
      case 'mkdirat': {
        const path = this.#within(first);
        if (path === null) return 'none';
        this.#rename([[path, { kind: 'folder', names: new Map(), synced: new Map() }]]);
        return 'change';
      }
      case 'unlink':
      case 'unlinkat':
      case 'rmdir': {
        const path = this.#within(first);
        if (path === null) return 'none';
        this.#rename([[path, null]]);
        return 'change';
      }
      default:
        return 'none';
    }
  }

  /** The content after a power failure. `luck` decides which unsynced changes survive. */
  after(luck: Luck): DiskState {
    const names = new Map<Folder, Map<string, Node>>();
    const namesIn = (folder: Folder) => {
      const found = names.get(folder) ?? new Map(folder.synced);
      names.set(folder, found);
      return found;
    };
    for (const renaming of this.#pending) {
      if (!luck()) continue;
      for (const { folder, name, node } of renaming) {
        if (node === null) namesIn(folder).delete(name);
        else namesIn(folder).set(name, node);
      }
    }
    const contents = new Map<File, Buffer>();
    for (const file of this.#files) {
      contents.set(
        file,
        file.writes.reduce((bytes, write) => (luck() ? write(bytes) : bytes), file.synced),
      );
    }
    const state = new Map<string, Buffer | { readonly target: string } | 'folder'>();
    const list = (folder: Folder, path: string) => {
      for (const [name, node] of [...namesIn(folder)].sort(([a], [b]) => (a < b ? -1 : 1))) {
        const own = join(path, name);
        if (node.kind === 'folder') {
          state.set(own, 'folder');
          list(node, own);
        } else state.set(own, node.kind === 'link' ? { target: node.target } : (contents.get(node) ?? node.bytes));
      }
    };
    list(this.#top, '');
    return state;
  }

  #sync(name: string, path: string | null): 'none' | 'sync' {
    if (name.startsWith('sync')) {
      for (const { folder } of this.#pending.flat()) commit(folder);
      for (const file of this.#files) commitFile(file);
      this.#pending = [];
      this.#files.clear();
      return 'sync';
    }
    const inside = this.#within(path);
    const node = inside === null ? null : inside === '' ? this.#top : this.#find(inside);
    if (node?.kind === 'file') {
      commitFile(node);
      this.#files.delete(node);
    } else if (node?.kind === 'folder') {
      const isAbout = (renaming: Renaming) => renaming.some(({ folder }) => folder === node);
      for (const change of this.#pending.filter(isAbout).flat()) {
        if (change.node === null) change.folder.synced.delete(change.name);
        else change.folder.synced.set(change.name, change.node);
      }
      this.#pending = this.#pending.filter((renaming) => !isAbout(renaming));
    } else return 'none';
    return 'sync';
  }

  #rename(changes: readonly (readonly [path: string, node: Node | null])[]): void {
    const renaming = changes.map(([path, node]) => ({
      folder: this.#folder(dirname(path)),
      name: basename(path),
      node,
    }));
    for (const { folder, name, node } of renaming) {
      if (node === null) folder.names.delete(name);
      else folder.names.set(name, node);
    }
    this.#pending.push(renaming);
  }

  #write(file: File, write: FileWrite): void {
    file.bytes = write(file.bytes);
    file.writes.push(write);
    this.#files.add(file);
  }

  #newFile(): File {
    return { kind: 'file', bytes: Buffer.alloc(0), synced: Buffer.alloc(0), writes: [] };
  }

  /** Where a `write` of some bytes goes. */
  #advance(words: readonly string[], length: number): number | null {
    const descriptor = Number.parseInt(words[0] ?? '', 10);
    const place = this.#offsets.get(descriptor) ?? null;
    if (place !== null) this.#offsets.set(descriptor, place + length);
    return place;
  }

  /** The path below the root; null for a path elsewhere, and for a file without a name. */
  #within(path: string | null | undefined): string | null {
    if (!path || path.endsWith('(deleted)')) return null;
    const absolute = resolve(this.#root, path);
    if (absolute === this.#root) return '';
    return absolute.startsWith(`${this.#root}/`) ? absolute.slice(this.#root.length + 1) : null;
  }

  #find(path: string): Node | null {
    let node: Node | undefined = this.#top;
    for (const name of path.split('/')) {
      if (node?.kind === 'link') throw new Error(`${path} leads through a link`);
      node = node?.kind === 'folder' ? node.names.get(name) : undefined;
    }
    return node ?? null;
  }

  #file(path: string | undefined): File | null {
    const inside = this.#within(path);
    const node = inside ? this.#find(inside) : null;
    return node?.kind === 'file' ? node : null;
  }

  #folder(path: string): Folder {
    const node = path === '.' || path === '' ? this.#top : this.#find(path);
    if (node?.kind !== 'folder') throw new Error(`there is no folder ${path}`);
    return node;
  }
}

function commit(folder: Folder): void {
  folder.synced.clear();
  for (const [name, node] of folder.names) folder.synced.set(name, node);
}

function commitFile(file: File): void {
  file.synced = file.bytes;
  file.writes.length = 0;
}

/** The paths of a call: its names, resolved against its folders if they are relative. */
function namedPaths(name: string, strings: readonly Buffer[], files: readonly string[]): (string | undefined)[] {
  const names = strings.map(String);
  // The target of a symbolic link is not a path of the call.
  if (name === 'symlinkat') return [undefined, resolve(files[0] ?? '', names[1] ?? '')];
  if (name === 'symlink') return [undefined, names[1]];
  return names.map((one, index) => (name.includes('at') ? resolve(files[index] ?? files[0] ?? '', one) : one));
}

/** Bytes with others written at an offset. A gap is filled with zeros. */
function written(before: Buffer, bytes: Buffer, place: number): Buffer {
  const after = Buffer.alloc(Math.max(before.length, place + bytes.length));
  before.copy(after);
  bytes.copy(after, place);
  return after;
}
