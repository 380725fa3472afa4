/** The choice of an operator who wants no borders on the maps. */
export const noOutline = 'none';

/** Whether a choice names an area in ISO 3166: a country such as `NO`, or a state such as `US-UT`. */
export function isAreaName(choice: string): boolean {
  return /^(?:[A-Z]{2}|US-[A-Z]{2})$/.test(choice);
}

/** Whether a choice is a file of the operator's own. One that is named like an area is `./NO`. */
export function isOutlineFile(choice: string): boolean {
  return choice !== noOutline && !isAreaName(choice);
}
