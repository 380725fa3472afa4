import { type Pointer, pointer as pointerSchema } from '../schemas/site-files.ts';
import { byteLimits } from './byte-limits.ts';
import { type FileFault, readFileValue, type Strictness, sound } from './file-value.ts';

/** `unreadable`: it is not a pointer at all. `inconsistent`: it contradicts itself. */
export type PointerFault = FileFault & { readonly kind: 'unreadable' | 'inconsistent' };

/**
 * Null if the bytes are not a pointer. `onFault` may throw to stop at the first fault. An `exact` pointer has the bytes
 * that a build writes for its value, and does not contradict itself: no hash covers the pointer, so nothing else
 * notices an added space.
 */
export function parsePointer(
  bytes: Uint8Array,
  strictness: Strictness,
  onFault: (fault: PointerFault) => void,
): Pointer | null {
  const value = readFileValue(bytes, pointerSchema, {
    strictness,
    most: byteLimits.pointer,
    onFault: (fault) => onFault({ kind: 'unreadable', ...fault }),
  });
  if (value === null || strictness === 'known') return value;
  for (const fault of contradictions(bytes, value)) onFault({ kind: 'inconsistent', ...fault });
  return value;
}

/** Reads a pointer, and drops unknown fields. Throws an error that says what is wrong. */
export function knownPointer(bytes: Uint8Array): Pointer {
  return sound(
    parsePointer(bytes, 'known', ({ expected, got }) => {
      throw new Error(`expected ${expected}, got ${got}`);
    }),
  );
}

function* contradictions(bytes: Uint8Array, value: Pointer): Generator<FileFault> {
  const written = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  const offset = written.findIndex((byte, index) => byte !== bytes[index]);
  if (offset >= 0 || bytes.length !== written.length) {
    const got = `another byte at offset ${offset >= 0 ? offset : written.length}`;
    yield { expected: 'JSON indented by two spaces, and a line feed', got };
  }
  yield* contradictoryPublications(value);
}

/** `publications` are newest first, each revision once. The current publication's entry repeats the fields above. */
function* contradictoryPublications({ publications, ...top }: Pointer): Generator<FileFault> {
  const revisions = new Set<string>();
  for (const [index, { sequence, revision }] of publications.entries()) {
    const newer = publications[index - 1];
    if (newer && newer.sequence <= sequence) {
      yield { expected: 'publications newest first', got: `sequence ${sequence} after sequence ${newer.sequence}` };
    }
    if (revisions.has(revision)) yield { expected: 'each revision once in publications', got: revision };
    revisions.add(revision);
  }
  const listed = publications.find(({ revision }) => revision === top.revision);
  if (!listed) {
    yield { expected: `current revision ${top.revision} in publications`, got: 'none of them' };
    return;
  }
  for (const key of ['sequence', 'published_at'] as const) {
    if (listed[key] !== top[key]) {
      yield { expected: `${key} ${JSON.stringify(top[key])} in publications`, got: JSON.stringify(listed[key]) };
    }
  }
  if (listed.routes?.sha256 !== top.routes.sha256 || listed.routes.size !== top.routes.size) {
    yield { expected: `routes ${JSON.stringify(top.routes)} in publications`, got: JSON.stringify(listed.routes) };
  }
}
