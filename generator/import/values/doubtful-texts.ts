import { decodeHTML } from 'entities';

/* Finds texts that probably mean something else than they say. */

const nothingWords: ReadonlySet<string> = new Set(
  [
    // Programs and spreadsheets.
    'null (null) <null> nil none nan <na> #n/a #na n/a na n.a. n.a undefined (blank) #ref! #value! #name? #null! #div/0!',
    // Signs.
    '- -- --- – — _ . .. ... ? ?? * x/x',
    // German, French, Spanish, Portuguese, Italian, Dutch.
    'k.a. k.a entf. entfällt keine keiner s.o. néant aucun aucune s/d n/d n.d. ninguno ninguna nenhum nenhuma nessuno nessuna n.v.t. n.v.t geen',
    // Swedish, Norwegian, Danish, Finnish, Icelandic, Polish, Russian.
    'ingen inget saknas mangler puuttuu ekkert brak нет н/д',
  ]
    .join(' ')
    .split(' ')
    .concat(
      ['not applicable', 'not available', 'no data', 'keine angabe', 'nicht verfügbar', 'sans objet', 'non disponible'],
      ['no aplica', 'no disponible', 'sin datos', 'não aplicável', 'não disponível', 'non applicabile'],
      [
        'niet van toepassing',
        'ej tillämpligt',
        'uppgift saknas',
        'ikke aktuelt',
        'ikke oplyst',
        'ei ole',
        'ei tiedossa',
      ],
      ['á ekki við', 'nie dotyczy', 'brak danych', 'нет данных'],
    ),
);

export function meansNothing(text: string): boolean {
  return text.length <= 24 && nothingWords.has(text.toLowerCase());
}

/** Decodes HTML's character references: `Jack Daniel&#39;s` as `Jack Daniel's`. */
export function withoutEntities(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

/** The characters for bytes in which windows-1252 and Latin-1 differ. */
const windowsLetters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Whether UTF-8 text was read as windows-1252, such as `CafÃ©`. */
export function isMisreadUtf8(text: string): boolean {
  if (!/[\u00c2-\u00f4]/.test(text)) return false;
  const bytes = Array.from(text, (letter) => {
    const at = windowsLetters.indexOf(letter);
    return at < 0 ? (letter.codePointAt(0) ?? 0) : 0x80 + at;
  });
  if (bytes.some((byte) => byte > 255)) return false;
  try {
    utf8.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}
