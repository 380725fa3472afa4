/** Codings and their weights as an Accept-Encoding header gives them; what is malformed in it is passed over. */
function parseWeights(field: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of field.toLowerCase().split(',')) {
    const match = /^([!#$%&'*+\-.^_`|~0-9a-z]+)(?:[ \t]*;[ \t]*q=([01](?:\.\d{0,3})?))?$/.exec(element.trim());
    if (!match) continue;
    const [, name = '', weight = '1'] = match;
    weights.set(name === 'x-gzip' ? 'gzip' : name, Math.min(1, Number(weight)));
  }
  return weights;
}

/**
 * Which of some codings a client is sent, by index, RFC 9110 12.5.3: the one with the greatest weight, of equal ones the
 * first; null for identity. A client that says nothing gets identity, and so does one that no coding suits.
 */
export function chooseCoding(field: string | null, codings: readonly string[]): number | null {
  if (field === null || codings.length === 0) return null;
  const weights = parseWeights(field);
  const others = weights.get('*') ?? 0;
  let chosen: number | null = null;
  // Identity needs no mention to be acceptable, but is not preferred to what was asked for.
  let greatest = weights.get('identity') ?? others;
  for (const [index, coding] of codings.entries()) {
    const weight = weights.get(coding) ?? others;
    if (weight > greatest || (weight === greatest && weight > 0 && chosen === null)) {
      chosen = index;
      greatest = weight;
    }
  }
  return chosen;
}
