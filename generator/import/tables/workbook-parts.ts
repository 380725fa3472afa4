import { isSignFor } from '../values/conversions.ts';
import { otherCurrencyIn } from '../values/currency-words.ts';
import { fileFailure, type InputFile } from './input.ts';
import { type NumberFormat, numberFormat } from './number-format.ts';
import type { ShownKind } from './table.ts';
import type { WorkbookArchive } from './workbook-archive.ts';
import { readXml, type XmlHandler } from './xml.ts';

export type Sheet = { readonly name: string; readonly file: string; readonly isHidden: boolean };

export type Workbook = Awaited<ReturnType<typeof readWorkbook>>;

/** The most bytes of a part that is kept in memory. */
const mostBytes = 256 * 1024 * 1024;

/** Reads the parts of a workbook that cells refer to. */
export async function readWorkbook(input: InputFile, archive: WorkbookArchive, currency: string) {
  const { named, isSince1904, file } = await readSheetNames(input, archive);
  const relations = await readRelations(input, archive, file);
  const sheets = named.map(({ id, ...sheet }): Sheet => {
    const target = relations.find((relation) => relation.id === id)?.target;
    if (target === undefined) throw fileFailure(input.path, `the file of the sheet ${sheet.name}`, 'none');
    return { ...sheet, file: target };
  });
  // Some programs write these parts under the usual names, without a relation.
  const targetOf = (type: string) =>
    relations.find((relation) => relation.type === type)?.target ?? `${folderOf(file)}${type}.xml`;
  const [stringsFile, stylesFile] = [targetOf('sharedStrings'), targetOf('styles')];
  return {
    sheets,
    /** Old Mac workbooks count days from 1904. */
    isSince1904,
    /** The texts that cells name by their number. */
    strings: archive.has(stringsFile) ? await readStrings(input, archive, stringsFile) : [],
    styles: archive.has(stylesFile) ? await readStyles(input, archive, stylesFile, currency) : [],
  };
}

export const workbookXml = 'an XLSX workbook of XML in UTF-8';

export async function* utf8(input: InputFile, chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fileFailure(input.path, workbookXml, 'bytes that are not UTF-8');
    }
  };
  for await (const chunk of chunks) yield decode(chunk);
  yield decode();
}

async function readAll(input: InputFile, archive: WorkbookArchive, file: string, handler: XmlHandler): Promise<void> {
  const reading = readXml(input, utf8(input, archive.read(file, mostBytes)), workbookXml, handler);
  while (!(await reading.next()).done);
}

/** The names of the sheets in the workbook's order, with the part that lists them. */
export async function readSheetNames(input: InputFile, archive: WorkbookArchive) {
  const ofPackage = await readRelations(input, archive, '');
  const file = ofPackage.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const named: { name: string; id: string; isHidden: boolean }[] = [];
  let isSince1904 = false;
  await readAll(input, archive, file, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') isSince1904 = isTrue(attributes.date1904);
      if (tag !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([key]) => key.endsWith(':id')) ?? [];
      named.push({ name: attributes.name ?? '', id, isHidden: (attributes.state ?? 'visible') !== 'visible' });
    },
  });
  return { named, isSince1904, file };
}

/** A part that another one refers to. `type`: the last part of its type's name, such as `styles`. */
type Relation = { readonly id: string; readonly type: string; readonly target: string };

/** The parts that a part refers to. The empty name means the package. There may be none. */
async function readRelations(input: InputFile, archive: WorkbookArchive, of: string): Promise<Relation[]> {
  const folder = folderOf(of);
  const file = `${folder}_rels/${of.slice(folder.length)}.rels`;
  const relations: Relation[] = [];
  if (!archive.has(file)) return relations;
  await readAll(input, archive, file, {
    open: (tag, { Id: id, Type: type = '', Target: target, TargetMode: mode }) => {
      if (tag !== 'Relationship' || id === undefined || target === undefined || mode === 'External') return;
      // A target is relative to the part, or absolute in the package.
      const { pathname } = new URL(target, `file:///${folder}`);
      relations.push({
        id,
        type: type.slice(type.lastIndexOf('/') + 1),
        target: decodeURIComponent(pathname.slice(1)),
      });
    },
  });
  return relations;
}

function folderOf(part: string): string {
  return part.slice(0, part.lastIndexOf('/') + 1);
}

async function readStrings(input: InputFile, archive: WorkbookArchive, stringsFile: string): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let isText = false;
  let isPhonetic = false;
  await readAll(input, archive, stringsFile, {
    open: (tag) => {
      if (tag === 'si') current = '';
      if (tag === 'rPh') isPhonetic = true;
      isText = tag === 't' && !isPhonetic;
    },
    close: (tag) => {
      isText = false;
      if (tag === 'rPh') isPhonetic = false;
      if (tag === 'si') strings.push(unescaped(current));
    },
    text: (text) => {
      if (isText) current += text;
    },
  });
  return strings;
}

const builtInDates = [
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
];

/** `kind` is null for plain numbers and for amounts in the file's own currency. */
type CellStyle = NumberFormat & { readonly kind: ShownKind | null };

const plain: CellStyle = { kind: null, code: null, unit: null };

async function readStyles(
  input: InputFile,
  archive: WorkbookArchive,
  stylesFile: string,
  currency: string,
): Promise<CellStyle[]> {
  const formats = new Map<number, CellStyle>(builtInDates.map((id) => [id, { ...plain, kind: 'date' }]));
  for (const id of [9, 10]) formats.set(id, { ...plain, kind: 'percentage' });
  const styles: CellStyle[] = [];
  let isOfCells = false;
  await readAll(input, archive, stylesFile, {
    open: (tag, attributes) => {
      if (tag === 'numFmt') formats.set(Number(attributes.numFmtId), cellStyle(attributes.formatCode ?? '', currency));
      if (tag === 'cellXfs') isOfCells = true;
      if (tag === 'xf' && isOfCells) styles.push(formats.get(Number(attributes.numFmtId ?? 0)) ?? plain);
    },
    close: (tag) => {
      if (tag === 'cellXfs') isOfCells = false;
    },
  });
  return styles;
}

function cellStyle(format: string, currency: string): CellStyle {
  const kind = shownBy(format, currency);
  return kind === null ? { kind, ...numberFormat(format) } : { ...plain, kind };
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/**
 * What a number format shows: a date for `yyyy\-mm\-dd` but not for `"day" 0` or `[Red]0.00`, a percentage, or a
 * foreign currency, as in `[$€-407]`, where 407 is a country. Null for anything else.
 */
export function shownBy(format: string, currency: string): ShownKind | null {
  const bare = format.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/[dmyhs]/i.test(bare) && !/general/i.test(bare)) return 'date';
  if (format.includes('%')) return 'percentage';
  const signs = [...format.matchAll(/\[\$([^\]]*)\]|\p{Sc}|\b[A-Z]{3}\b/gu)].map(([sign, tagged]) => tagged ?? sign);
  const isDollar = (sign: string) => /^(US)?\$(-0*(409|540A|..-US))?$|^USD\b/i.test(sign);
  const isOwn = currency === 'USD' ? isDollar : (sign: string) => isSignFor(currency, sign.replace(/-.*/, ''));
  // Literal text, as in `0.00 "kr"`.
  const literals = [...format.matchAll(/"([^"]*)"/g)].map(([, literal]) => literal).join(' ');
  if (otherCurrencyIn(literals, currency) !== null) return 'currency';
  const isWord = (sign: string) => /^(-.*)?$|^[A-Z]{3}$/.test(sign) && !codes.has(sign);
  return signs.some((sign) => !isOwn(sign) && !isWord(sign)) ? 'currency' : null;
}

/** Decodes characters that XML does not allow. Texts have them in the form `_x000D_`. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}
