import { SaxesParser } from 'saxes';
import { Failure } from '../../files/failure.ts';
import { fileFailure, type InputFile } from './input.ts';

export type XmlHandler = {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
  readonly encoding?: (name: string) => void;
};

/** The most characters without a tag. The longest text of a cell has 32,767 characters. */
const mostWithoutTag = 1024 * 1024;

/**
 * Yields the number of characters after each chunk, so that a caller can take what its handler has found. Refuses
 * document types, whose entities could grow without end. `expected`: what the XML should be.
 */
export async function* readXml(
  input: InputFile,
  texts: AsyncIterable<string>,
  expected: string,
  { open, close, text: onText, encoding }: XmlHandler,
): AsyncGenerator<number> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let silent = 0;
  parser.on('opentag', ({ name, attributes }) => {
    silent = 0;
    open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    silent = 0;
    close?.(localName(name));
  });
  if (onText) parser.on('text', onText);
  if (onText) parser.on('cdata', onText);
  parser.on('xmldecl', (declared) => {
    if (declared.encoding !== undefined) encoding?.(declared.encoding);
  });
  parser.on('doctype', () => {
    throw fileFailure(input.path, 'XML without a document type', 'one with it');
  });
  try {
    for await (const text of texts) {
      silent += text.length;
      parser.write(text);
      if (silent > mostWithoutTag) throw fileFailure(input.path, 'XML with tags', `${silent} characters without one`);
      yield text.length;
    }
    parser.close();
  } catch (error) {
    if (error instanceof Failure || !(error instanceof Error)) throw error;
    throw fileFailure(input.path, expected, error.message);
  }
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
