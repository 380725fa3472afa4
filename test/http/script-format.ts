/**
 * Requests and the answers that they must get, as text that doubles as documentation. Lines of `###` separate the
 * scripts of a file. A script is a title and exchanges. An exchange is a paragraph with the request, and a paragraph
 * with its answer:
 *
 *     # RFC 9110 13.1.2: If-None-Match takes a list and compares weakly
 *     GET /v1/brands
 *     If-None-Match: "nope", W/{etag:/v1/brands}
 *
 *     304
 *     ETag: {etag:/v1/brands}
 *     (no body)
 *
 * A request can begin with `@server`, the name of a server other than the usual one. An answer is its status and its
 * claims: `Name: value`, `Name: /pattern/`, `Name: (absent)`; `$.json.path = value`, `$.list[*].name ~ pattern`.
 * `=> name` instead of a value keeps the value for later requests of the script, as `{name}`. A line in parentheses is
 * about the body. Anything without a claim can be whatever the house rules allow.
 *
 * A title that begins with `[raw target]` marks a script about targets that a URL parser changes or rejects. Hosts that
 * hand over a parsed URL never see such targets.
 */
export type Script = {
  readonly title: string;
  readonly needsRawTarget: boolean;
  readonly exchanges: readonly Exchange[];
};

export type Exchange = {
  readonly server: string;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly status: number;
  readonly claims: readonly Claim[];
};

export type Claim =
  | { readonly about: 'header'; readonly name: string; readonly relation: Relation; readonly value: string }
  | { readonly about: 'json'; readonly path: string; readonly relation: Relation; readonly value: string }
  | { readonly about: 'body'; readonly value: string };

export type Relation = 'equals' | 'matches' | 'absent' | 'keep';

/** The scripts of a file. Throws an error that names the line it cannot read. */
export function parseScripts(text: string): Script[] {
  return text.split(/^###.*\n/m).map((script) => parseScript(script));
}

function parseScript(text: string): Script {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0);
  const comments = (lines: readonly string[]) => lines.filter((line) => line.startsWith('#'));
  const title = comments(paragraphs[0] ?? [])
    .map((line) => line.slice(1).trim())
    .join(' ');
  const blocks = paragraphs
    .map((lines) => lines.filter((line) => !line.startsWith('#')))
    .filter((lines) => lines.length > 0);
  if (title === '' || blocks.length === 0 || blocks.length % 2 !== 0) {
    throw new Error(`expected a title, requests and an answer to each, got:\n${text}`);
  }
  const exchanges = Array.from({ length: blocks.length / 2 }, (_, i) => ({
    ...parseRequest(blocks[2 * i] ?? []),
    ...parseAnswer(blocks[2 * i + 1] ?? []),
  }));
  return { title, needsRawTarget: title.startsWith('[raw target] '), exchanges };
}

function parseRequest(lines: readonly string[]): Omit<Exchange, 'status' | 'claims'> {
  const [first = '', ...rest] = lines;
  const server = /^@(\w+)$/.exec(first)?.[1];
  const [line = '', ...fields] = server === undefined ? lines : rest;
  const [, method, target] = /^([A-Z]+) (\S+)$/.exec(line) ?? [];
  if (method === undefined || target === undefined) throw new Error(`expected a method and a target, got: ${line}`);
  return { server: server ?? 'main', method, target, headers: fields.map(parseField) };
}

function parseField(line: string): [string, string] {
  const [, name, value] = /^([\w-]+): ?(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`expected a header field, got: ${line}`);
  return [name, value];
}

function parseAnswer([status = '', ...lines]: readonly string[]): Pick<Exchange, 'status' | 'claims'> {
  if (!/^\d{3}$/.test(status)) throw new Error(`expected a status, got: ${status}`);
  return { status: Number(status), claims: lines.map(parseClaim) };
}

function parseClaim(line: string): Claim {
  const [, about] = /^\((.+)\)$/.exec(line) ?? [];
  if (about !== undefined) return { about: 'body', value: about };
  const [, path, sign, json] = /^(\$\S*) (=>|=|~) (.+)$/.exec(line) ?? [];
  if (path !== undefined && json !== undefined) {
    return { about: 'json', path, relation: sign === '=>' ? 'keep' : sign === '=' ? 'equals' : 'matches', value: json };
  }
  const [, kept, name] = /^([\w-]+) => (\w+)$/.exec(line) ?? [];
  if (kept !== undefined && name !== undefined) return { about: 'header', name: kept, relation: 'keep', value: name };
  const [header, value] = parseField(line);
  const pattern = /^\/(.*)\/$/.exec(value)?.[1];
  if (value === '(absent)') return { about: 'header', name: header, relation: 'absent', value: '' };
  if (pattern !== undefined) return { about: 'header', name: header, relation: 'matches', value: pattern };
  return { about: 'header', name: header, relation: 'equals', value };
}
