import * as z from 'zod';
import { sha256 } from './primitives.ts';

/**
 * A line of `current.json.sig`. `key`: SHA-256 of the public key as SPKI in DER; `pointer_sha256`: of the pointer's bytes,
 * so that a reader can tell a signature of another pointer from a wrong one; `signature`: Ed25519 over those bytes (RFC
 * 8032), in base64.
 */
export const pointerSignature = z.strictObject({
  format: z.literal('shelfpress-signature'),
  format_version: z.literal(1),
  algorithm: z.literal('ed25519'),
  key: sha256,
  pointer_sha256: sha256,
  signature: z.string().regex(/^[A-Za-z0-9+/]{86}==$/, 'expected 64 bytes in base64'),
});

export type PointerSignature = z.infer<typeof pointerSignature>;
