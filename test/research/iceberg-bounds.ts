/** A bound of a column, in the binary form of single values (Iceberg's specification, Appendix D), as SQL. */
export function boundText(type: string, value: Uint8Array): string {
  const bytes = Buffer.from(value);
  switch (type) {
    case 'string':
      return `'${bytes.toString().replaceAll("'", "''")}'`;
    case 'boolean':
      return bytes[0] === 1 ? 'true' : 'false';
    case 'long':
      return String(bytes.readBigInt64LE());
    case 'double':
      return String(bytes.readDoubleLE());
    case 'timestamptz':
      return `make_timestamptz(${bytes.readBigInt64LE()})`;
    default: {
      const scale = Number(/^decimal\(18, (\d)\)$/.exec(type)?.[1]);
      const unscaled = BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`));
      return String(Number(unscaled) / 10 ** scale);
    }
  }
}
