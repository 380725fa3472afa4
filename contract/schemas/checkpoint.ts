import * as z from 'zod';
import { canonicalInstant } from '../instant.ts';
import { parseJson } from '../text.ts';
import { sha256 } from './primitives.ts';

/*
 * `current.json.sig`, the signature file of a site: lines of JSON. A signature signs a checkpoint, which names the
 * current pointer and continues the chain of the pointers before it. So a site cannot take a pointer back, or show two
 * readers different pointers, without leaving a signature that proves it. Checkpoints follow C2SP tlog-checkpoint, and
 * signatures follow C2SP signed-note. The third line is the hash of a chain instead of the head of a Merkle tree: the
 * same file lists the pointers between two checkpoints, so a reader can compute one from the other.
 */

/** A signature file lists at most this many pointers. Readers that missed more of them cannot compare. */
export const mostListedPointers = 400;

/** `pointer_sha256`: the hash of the pointer's bytes. `note`: from {@link formatNote}. */
export const pointerSignature = z.strictObject({
  format: z.literal('shelfpress-signature'),
  format_version: z.literal(2),
  pointer_sha256: sha256,
  note: z.string().max(16_384),
});
export type PointerSignature = z.infer<typeof pointerSignature>;

/** Hashes of the newest pointers of a chain, oldest first. `first`: the number of the first one. */
export const listedPointers = z.strictObject({
  format: z.literal('shelfpress-chain'),
  format_version: z.literal(1),
  first: z.int().min(1),
  pointers: z.array(sha256).min(1).max(mostListedPointers),
});
export type ListedPointers = z.infer<typeof listedPointers>;

/**
 * A key that succeeds another one. `key`, `signed_by`: the fingerprints of the new and the old key. `public_key`: SPKI
 * in DER, base64. `signature`: the old key's Ed25519 signature of {@link successionText}, base64.
 */
export const keySuccession = z.strictObject({
  format: z.literal('shelfpress-key'),
  format_version: z.literal(1),
  key: sha256,
  public_key: z.string().max(256),
  signed_by: sha256,
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'expected 64 bytes in base64'),
});
export type KeySuccession = z.infer<typeof keySuccession>;

export const signatureLine = z.discriminatedUnion('format', [pointerSignature, listedPointers, keySuccession]);
export type SignatureLine = z.infer<typeof signatureLine>;

/** The owner of a key signs this text to name its successor. */
export function successionText({ key, signed_by }: Pick<KeySuccession, 'key' | 'signed_by'>): string {
  return `shelfpress key succession\n${signed_by}\n${key}\n`;
}

/**
 * `origin`: the fingerprint of the first key that signed the chain. `number`: how many pointers the chain has, from 1.
 * `chain`: the hash of the chain. `pointer`: the SHA-256 of the newest pointer. `before`: the SHA-256 of the pointer
 * before it; null for the first pointer. `expires`: when the signature expires, UTC to the second; null for never.
 */
export type Checkpoint = {
  readonly origin: string;
  readonly number: number;
  readonly chain: string;
  readonly pointer: string;
  readonly before: string | null;
  readonly expires: string | null;
};

/**
 * A text whose hash is that of a chain with one more pointer. `chain`: the hash of the chain without that pointer; null
 * for the first pointer.
 */
export function chainText(chain: string | null, pointer: string): string {
  return `${chain ?? ''}\n${pointer}\n`;
}

/** The signed text: C2SP tlog-checkpoint with extension lines. */
export function checkpointText({ origin, number, chain, pointer, before, expires }: Checkpoint): string {
  const extensions = [
    `pointer ${pointer}`,
    ...(before === null ? [] : [`before ${before}`]),
    ...(expires === null ? [] : [`expires ${expires}`]),
  ];
  return [`shelfpress/${origin}`, number, hexToBase64(chain), ...extensions].map((line) => `${line}\n`).join('');
}

/** The inverse of {@link checkpointText}; null for any other text. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const match =
    /^shelfpress\/([0-9a-f]{64})\n([1-9]\d{0,14})\n([A-Za-z0-9+/]{43}=)\npointer ([0-9a-f]{64})\n(?:before ([0-9a-f]{64})\n)?(?:expires (\S+)\n)?$/.exec(
      text,
    );
  if (match === null) return null;
  const [, origin = '', number = '', chain = '', pointer = '', before = null, expires = null] = match;
  if (expires !== null && canonicalInstant(expires) !== expires) return null;
  const checkpoint = { origin, number: Number(number), chain: base64ToHex(chain), pointer, before, expires };
  return checkpointText(checkpoint) === text ? checkpoint : null;
}

/** `name`: the fingerprint of the key. `bytes`: in hex, four bytes that also name the key, then the signature. */
export type NoteSignature = { readonly name: string; readonly bytes: string };

/** C2SP signed-note: a text with its signatures. */
export type Note = { readonly text: string; readonly signatures: readonly NoteSignature[] };

export function formatNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(({ name, bytes }) => `— ${name} ${hexToBase64(bytes)}\n`).join('')}`;
}

export function parseNote(note: string): Note | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return null;
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '' || lines.length === 0) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, base64 = ''] = /^— (\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    if (name === undefined) return null;
    signatures.push({ name, bytes: base64ToHex(base64) });
  }
  return { text: note.slice(0, end + 1), signatures };
}

/** The prefix of an Ed25519 key in SPKI, before its 32 bytes (RFC 8410). */
const spkiPrefix = '302a300506032b6570032100';

/**
 * A text in hex. A note's signature names its key by four bytes of the SHA-256 of this text. `publicKey`: SPKI in DER.
 */
export function noteKeyText(name: string, publicKey: string): string {
  if (!publicKey.startsWith(spkiPrefix))
    throw new Error(`expected an Ed25519 key in SPKI, got ${publicKey.slice(0, 24)}`);
  const ed25519 = '01';
  return `${textToHex(`${name}\n`)}${ed25519}${publicKey.slice(spkiPrefix.length)}`;
}

export function base64ToHex(base64: string): string {
  return Array.from(atob(base64), (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

export function hexToBase64(hex: string): string {
  return btoa((hex.match(/../g) ?? []).map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''));
}

function textToHex(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function parseSignatureFile(text: string): SignatureLine[] | null {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) return null;
  const parsed: SignatureLine[] = [];
  for (const line of lines) {
    const result = signatureLine.safeParse(parseJson(line));
    if (!result.success) return null;
    parsed.push(result.data);
  }
  return parsed;
}

export function formatSignatureFile(lines: readonly SignatureLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The newest checkpoint that a reader accepted. */
export const remembered = z.strictObject({ origin: sha256, number: z.int().min(1), chain: sha256 });
export type Remembered = z.infer<typeof remembered>;

/** A reason to refuse a checkpoint, in the terms of The Update Framework. */
export type CheckpointFault = {
  readonly kind: 'rollback' | 'freeze' | 'fork' | 'gap';
  readonly expected: string;
  readonly got: string;
};

/**
 * Null if the checkpoint continues the remembered one. `listed`: the pointers in the same signature file. `hash`:
 * computes the SHA-256 of a text, in hex. `now`: UTC to the second.
 */
export async function checkpointFault(
  { origin, number, chain, expires }: Checkpoint,
  listed: ListedPointers | null,
  remembered: Remembered | null,
  { hash, now }: { readonly hash: (text: string) => string | Promise<string>; readonly now: string },
): Promise<CheckpointFault | null> {
  const chainAfter = async (start: string | null, pointers: readonly string[]) => {
    let reached = start;
    for (const pointer of pointers) reached = await hash(chainText(reached, pointer));
    return reached;
  };
  if (remembered !== null) {
    const known = `checkpoint ${remembered.number} of ${remembered.origin}, which was seen`;
    if (origin !== remembered.origin)
      return { kind: 'fork', expected: `the chain of ${known}`, got: `another one, of ${origin}` };
    if (number < remembered.number)
      return { kind: 'rollback', expected: `${known}, or a later one`, got: `the older checkpoint ${number}` };
    const missing = number - remembered.number;
    const start = remembered.number + 1 - (listed?.first ?? 0);
    const newest = start < 0 ? [] : (listed?.pointers.slice(start, start + missing) ?? []);
    if (newest.length < missing)
      return { kind: 'gap', expected: `the ${missing} pointers since ${known}`, got: `${newest.length} of them` };
    if ((await chainAfter(remembered.chain, newest)) !== chain)
      return { kind: 'fork', expected: `a checkpoint that continues ${known}`, got: 'one of another history' };
  }
  if (expires !== null && expires < now)
    return { kind: 'freeze', expected: 'a signature that has not expired', got: `one that expired at ${expires}` };
  return null;
}
