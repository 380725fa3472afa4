/** How the shim speaks to its operator; `error` when somebody should look. Fields are for machines to search by. */
export type ShimLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;
