/** Wrong usage; the message is for a person. */
export class UsageError extends Error {}
