export const noOutline = 'none';

/** Whether the choice is an ISO 3166 code: a country such as `NO`, or a state such as `US-UT`. */
export function isAreaName(choice: string): boolean {
  return /^(?:[A-Z]{2}|US-[A-Z]{2})$/.test(choice);
}

/** Whether the choice is the operator's own file. A file named like an area is written `./NO`. */
export function isOutlineFile(choice: string): boolean {
  return choice !== noOutline && !isAreaName(choice);
}
