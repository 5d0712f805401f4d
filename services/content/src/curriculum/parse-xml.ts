import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** Without its prefix: products disagree about prefixes and versions of namespaces. */
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  /** The text of the element itself, without that of its children. */
  text: string;
  line: number;
}

/** The document is not well-formed, or it is larger or more deeply nested than any real one. */
export class InvalidXml extends Error {
  override name = 'InvalidXml';
  readonly line: number;
  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

export interface XmlLimits {
  maxCharacters: number;
  maxElements: number;
  maxDepth: number;
}
const usualLimits: XmlLimits = { maxCharacters: 32 * 1024 * 1024, maxElements: 500_000, maxDepth: 100 };

/** Returns whether the element stays a child of its parent; its ancestors begin with the root. */
export type OnElement = (element: XmlElement, ancestors: XmlElement[]) => boolean;

/**
 * Parses an XML document that is written in parts. Document types are rejected, and with them entities of its own: only the
 * five of XML and character references exist.
 */
function createParser({ maxCharacters, maxElements, maxDepth }: XmlLimits, onElement: OnElement) {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let characters = 0;
  const fail = (message: string): never => {
    throw new InvalidXml(message, parser.line);
  };

  parser.on('error', (error) => fail(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', () => fail('A document type (DOCTYPE) is not allowed'));
  parser.on('opentag', ({ local, attributes }) => {
    elements += 1;
    if (elements > maxElements || open.length >= maxDepth) fail('The document has too many elements');
    const values = Object.values(attributes).map((attribute): [string, string] => [attribute.local, attribute.value]);
    const element = { name: local, attributes: new Map(values), children: [], text: '', line: parser.line };
    root ??= element;
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (element && onElement(element, open)) open.at(-1)?.children.push(element);
  });

  return {
    write(part: string) {
      characters += part.length;
      if (characters > maxCharacters) throw new InvalidXml('The document is too large', 1);
      parser.write(part);
    },
    end(): XmlElement {
      parser.close();
      return root ?? fail('The document is empty');
    },
  };
}

const keepAll = () => true;

export function parseXml(xml: string, limits: XmlLimits = usualLimits): XmlElement {
  const parser = createParser(limits, keepAll);
  parser.write(xml);
  return parser.end();
}

/** For documents of which only what `onElement` makes of it shall be in memory. */
export async function parseXmlStream(bytes: AsyncIterable<Uint8Array>, onElement: OnElement): Promise<XmlElement> {
  const parser = createParser(usualLimits, onElement);
  let decoder: ReturnType<typeof createDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= createDecoder(chunk);
    parser.write(decoder.decode(chunk));
  }
  if (decoder) parser.write(decoder.end());
  return parser.end();
}

export function decodeXml(bytes: Uint8Array): string {
  const decoder = createDecoder(bytes);
  return decoder.decode(bytes) + decoder.end();
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
function createDecoder([first, second]: Uint8Array) {
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes: Uint8Array, stream: boolean) => {
    try {
      return decoder.decode(bytes, { stream });
    } catch {
      throw new InvalidXml(`The document is not valid ${encoding.toUpperCase()}`, 1);
    }
  };
  return { decode: (bytes: Uint8Array) => decode(bytes, true), end: () => decode(new Uint8Array(), false) };
}

/** The first descendant on a path of names. */
export const findPath = (element: XmlElement | undefined, ...names: string[]): XmlElement | undefined =>
  names.reduce<XmlElement | undefined>(
    (parent, name) => parent?.children.find((child) => child.name === name),
    element,
  );

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

const special: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers turn these into spaces or line feeds unless they are references.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Text for an element or an attribute. Characters that XML cannot contain are left out. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML 1.0 excludes
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => special[character] ?? character);
