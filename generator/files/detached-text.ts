/** A copy of a text. A slice of a long text would keep all of it in memory. */
export function detached(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
