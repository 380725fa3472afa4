import { createPublicKey, hash, sign, verify } from 'node:crypto';
import { signatureFile } from '../../contract/paths.ts';
import {
  type Checkpoint,
  chainText,
  checkpointText,
  formatNote,
  formatSignatureFile,
  type KeySuccession,
  type ListedPointers,
  mostListedPointers,
  type NoteSignature,
  noteKeyText,
  type PointerSignature,
  parseCheckpoint,
  parseNote,
  parseSignatureFile,
  type SignatureLine,
} from '../../contract/schemas/checkpoint.ts';
import {
  type CryptoStep,
  checkPointerSignature,
  type SignatureFault,
  type Signed,
} from '../../contract/site/signature.ts';
import { Failure } from '../files/failure.ts';
import { type SigningKey, toDer } from './keys.ts';

/** One signature of the current pointer, and one of the previous pointer. */
const keptSignatures = 2;

/**
 * `expires`: when the signature expires, UTC to the second; null for never. `clock`: the time from which that was
 * counted, in milliseconds since 1970, if it must not be behind the site's.
 */
export type Signing = { readonly key: SigningKey; readonly expires: string | null; readonly clock?: number | null };

/**
 * The signature file for a pointer that is about to replace another: signatures of both, the new one first. It is
 * written before the pointer moves, so that a reader of either pointer finds its signature. The new checkpoint
 * continues the existing chain, or starts a chain. `existing`: the present signature file. `before`: the present
 * pointer. Throws a Failure if the present file is damaged, because readers take a chain that starts over for a fork.
 */
export function signedFile(
  { key, expires }: Signing,
  pointer: Uint8Array,
  existing: Uint8Array | null,
  before: Uint8Array | null,
): Uint8Array {
  const lines = existing === null ? [] : presentLines(existing);
  const digest = hash('sha256', pointer);
  const kept = signaturesFor(before, lines);
  const [last] = kept.flatMap((line) => checkpointIn(line) ?? []);
  const isSame = last?.pointer === digest;
  const checkpoint: Checkpoint = isSame
    ? { ...last, expires }
    : {
        origin: last?.origin ?? key.fingerprint,
        number: (last?.number ?? 0) + 1,
        chain: hash('sha256', chainText(last?.chain ?? null, digest)),
        pointer: digest,
        before: last?.pointer ?? null,
        expires,
      };
  const text = checkpointText(checkpoint);
  const added: PointerSignature = {
    format: 'shelfpress-signature',
    format_version: 2,
    pointer_sha256: digest,
    note: formatNote({ text, signatures: [noteSignature(text, key)] }),
  };
  const others = lines.flatMap((line) => (line.format === 'shelfpress-signature' ? line : []));
  const signatures = [...(isSame ? [] : kept), ...(isSame ? others : [])].filter(
    ({ pointer_sha256 }) => pointer_sha256 !== digest,
  );
  return formatted([
    ...[added, ...signatures].slice(0, keptSignatures),
    listedWith(listedIn(lines), checkpoint),
    ...successionsWith(lines, key),
  ]);
}

/** The lines of the present signature file. Throws a Failure if it is not a signature file. */
function presentLines(file: Uint8Array): SignatureLine[] {
  const lines = parseSignatureFile(Buffer.from(file).toString());
  if (lines !== null) return lines;
  throw new Failure(
    'signature',
    `${signatureFile}: expected signatures of the previous pointer, got something else; restore the file, or remove it to start a new chain, which readers who remember the old one refuse`,
  );
}

function listedWith(before: ListedPointers | null, { number, pointer }: Checkpoint): ListedPointers {
  const known = before === null ? [] : before.pointers.slice(0, Math.max(0, number - before.first));
  const pointers = [...known, pointer].slice(-mostListedPointers);
  return { format: 'shelfpress-chain', format_version: 1, first: number - pointers.length + 1, pointers };
}

function successionsWith(lines: readonly SignatureLine[], { successions = [] }: SigningKey): KeySuccession[] {
  const known = lines.flatMap((line) => (line.format === 'shelfpress-key' ? line : []));
  const byKey = new Map([...known, ...successions].map((line) => [`${line.signed_by} ${line.key}`, line]));
  return [...byKey.values()];
}

/** A signature file with a witness's signature, which is by another key than the site's. */
export function cosigned(pointer: Uint8Array, file: Uint8Array, witness: SigningKey): Uint8Array {
  return formatted(
    signaturesFor(pointer, linesIn(file)).map((line) => {
      const note = parseNote(line.note);
      if (note === null) throw new Error('a note that was read before could not be read');
      const others = note.signatures.filter(({ name }) => name !== witness.fingerprint);
      const signatures = [...others, noteSignature(note.text, witness)];
      return { ...line, note: formatNote({ ...note, signatures }) };
    }),
  );
}

/** Signs a text in the form of C2SP signed-note. */
function noteSignature(text: string, { key, fingerprint }: SigningKey): NoteSignature {
  const keyId = hash('sha256', Buffer.from(noteKeyText(fingerprint, toDer(key).toString('hex')), 'hex')).slice(0, 8);
  const bytes = keyId + sign(null, Buffer.from(text), key).toString('hex');
  return { name: fingerprint, bytes };
}

/** A signature file from elsewhere, with the signatures of the present pointer added, if there are any. */
export function keepingLines(file: Uint8Array, existing: Uint8Array | null, before: Uint8Array | null): Uint8Array {
  const kept = signaturesFor(before, linesIn(existing));
  const lines = linesIn(file);
  if (kept.length === 0 || signaturesFor(before, lines).length > 0) return file;
  const [first, ...others] = lines;
  return first === undefined ? file : formatted([first, ...kept, ...others]);
}

/**
 * What is wrong with a signature file; null if it fits the pointer. Without a key, the file may be missing, and any key
 * may have signed.
 */
export function signatureFault(
  pointer: Uint8Array,
  file: Uint8Array | null,
  key: SigningKey | null,
): SignatureFault | null {
  const found = readSignature(pointer, file, key);
  return found !== null && 'reason' in found ? found : null;
}

/** The checkpoint of a pointer, or why it cannot be trusted. Null if nothing is signed and nothing has to be. */
export function readSignature(
  pointer: Uint8Array,
  file: Uint8Array | null,
  key: SigningKey | null,
): Signed | SignatureFault | null {
  const steps = checkPointerSignature(pointer, file, key && { der: toDer(key.key), fingerprint: key.fingerprint });
  let next = steps.next();
  while (!next.done) next = steps.next(answer(next.value));
  return next.value;
}

function answer(step: CryptoStep): string | boolean {
  if ('sha256' in step) return hash('sha256', step.sha256);
  const key = createPublicKey({ key: Buffer.from(step.key), format: 'der', type: 'spki' });
  // A key of another kind verifies in another way.
  return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(step.text), key, step.signature);
}

/** The signed checkpoint of a pointer, whoever signed it; null if there is none. */
export function signedIn(pointer: Uint8Array | null, file: Uint8Array | null): Signed | null {
  const found = pointer && readSignature(pointer, file, null);
  return found && 'checkpoint' in found ? found : null;
}

export function linesOnlyFor(pointer: Uint8Array, file: Uint8Array): Uint8Array {
  const lines = linesIn(file);
  const kept = signaturesFor(pointer, lines);
  const [checkpoint] = kept.flatMap((line) => checkpointIn(line) ?? []);
  const listed = listedIn(lines);
  const upTo = checkpoint && listed ? [withoutLater(listed, checkpoint)] : [];
  return formatted([...kept, ...upTo, ...lines.filter(({ format }) => format === 'shelfpress-key')]);
}

function withoutLater(listed: ListedPointers, { number }: Checkpoint): ListedPointers {
  return { ...listed, pointers: listed.pointers.slice(0, number - listed.first + 1) };
}

/**
 * The key that signed a pointer, or else the newest one in the file; null for none. Later signatures of the same note
 * are by witnesses.
 */
export function signerOf(pointer: Uint8Array | null, file: Uint8Array): string | null {
  const signatures = linesIn(file).filter(({ format }) => format === 'shelfpress-signature') as PointerSignature[];
  const [line] = [...signaturesFor(pointer, signatures), ...signatures];
  return (line && parseNote(line.note)?.signatures[0]?.name) ?? null;
}

/** Whether a key has this fingerprint, or follows the key that has it, as the file beside the private key says. */
export function followsKey({ fingerprint, successions = [] }: SigningKey, before: string): boolean {
  const followed = new Set([fingerprint]);
  for (const { key, signed_by } of successions.toReversed()) if (followed.has(key)) followed.add(signed_by);
  return followed.has(before);
}

/** Fingerprints of the keys named for a pointer. Does not check the signatures. */
export function listSigners(pointer: Uint8Array, file: Uint8Array | null): string[] {
  const notes = signaturesFor(pointer, linesIn(file)).flatMap(({ note }) => parseNote(note) ?? []);
  return notes.flatMap(({ signatures }) => signatures.map(({ name }) => name));
}

function formatted(lines: readonly SignatureLine[]): Buffer {
  return Buffer.from(formatSignatureFile(lines));
}

function linesIn(file: Uint8Array | null): SignatureLine[] {
  return (file && parseSignatureFile(Buffer.from(file).toString())) ?? [];
}

function signaturesFor(pointer: Uint8Array | null, lines: readonly SignatureLine[]): PointerSignature[] {
  const digest = pointer && hash('sha256', pointer);
  return lines.flatMap((line) =>
    line.format === 'shelfpress-signature' && line.pointer_sha256 === digest ? line : [],
  );
}

function listedIn(lines: readonly SignatureLine[]): ListedPointers | null {
  return lines.find((line) => line.format === 'shelfpress-chain') ?? null;
}

function checkpointIn({ note }: PointerSignature): Checkpoint | null {
  const parsed = parseNote(note);
  return parsed && parseCheckpoint(parsed.text);
}
