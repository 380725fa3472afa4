/** Writes a message to the operator's log. Level `error` asks for attention. The fields are for searches by machine. */
export type ShimLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;
