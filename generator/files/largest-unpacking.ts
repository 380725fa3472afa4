/** Data packed with gzip may unpack to this many times its size. Exports reach 30 times. */
export const unpackedTimes = 200;
