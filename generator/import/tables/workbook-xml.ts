import { SaxesParser } from 'saxes';
import { Failure } from '../../failure.ts';
import { fileFailure, type InputFile } from './input.ts';

/** What a reader of XML is told. Names are without the prefix of their namespace. */
export type XmlHandler = {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
};

/** Bytes without a tag. The longest text of a cell is 32,767 characters. */
const mostWithoutTag = 1024 * 1024;

/**
 * Reads XML chunk by chunk and yields after each chunk, so that a caller can take what its handler has found. Document
 * types are refused, and with them the entities that could grow without end.
 */
export async function* readXml(
  input: InputFile,
  chunks: AsyncIterable<Buffer>,
  { open, close, text }: XmlHandler,
): AsyncGenerator<number> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let silent = 0;
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    silent = 0;
    close?.(localName(name));
  });
  if (text) parser.on('text', text);
  if (text) parser.on('cdata', text);
  parser.on('doctype', () => {
    throw fileFailure(input.path, 'XML without a document type', 'one with it');
  });
  try {
    for await (const chunk of chunks) {
      silent += chunk.length;
      parser.write(decoder.decode(chunk, { stream: true }));
      if (silent > mostWithoutTag) throw fileFailure(input.path, 'XML with tags', `${silent} bytes without one`);
      yield chunk.length;
    }
    parser.close();
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    throw fileFailure(input.path, 'an XLSX workbook of XML in UTF-8', error.message);
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
