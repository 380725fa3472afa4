/** Codings of an Accept-Encoding header with their weights. Malformed elements are ignored. */
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
 * The coding to send, as an index into `codings`, RFC 9110 12.5.3: the one with the greatest weight, the first among
 * equals. Null for identity: the client sent no field, or accepts none of the codings.
 */
export function chooseCoding(field: string | null, codings: readonly string[]): number | null {
  if (field === null || codings.length === 0) return null;
  const weights = parseWeights(field);
  const others = weights.get('*') ?? 0;
  let chosen: number | null = null;
  // Identity is acceptable without being mentioned, but a coding of equal weight is preferred to it.
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
