/** The codings of computed answers. */
export type ComputedCoding = 'br' | 'gzip';

/** Compresses answers when they are asked for. The host provides it, because it must not hold up other requests. */
export interface Compressor {
  /** The codings that it makes, the preferred one first. */
  readonly codings: readonly ComputedCoding[];
  compress(bytes: Uint8Array, coding: ComputedCoding): Promise<Uint8Array>;
}

/** The compressor of a runtime with the Web's CompressionStream, which knows gzip; null for any other runtime. */
export function webCompressor(): Compressor | null {
  if (typeof CompressionStream === 'undefined') return null;
  return {
    codings: ['gzip'],
    async compress(bytes) {
      const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip'));
      return new Uint8Array(await new Response(stream).arrayBuffer());
    },
  };
}
