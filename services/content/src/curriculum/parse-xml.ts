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

/**
 * Parses an XML document. Document types are rejected, and with them entities of its own: only the five of XML and
 * character references exist.
 */
export function parseXml(xml: string, limits: XmlLimits = usualLimits): XmlElement {
  if (xml.length > limits.maxCharacters) throw new InvalidXml('The document is too large', 1);
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const fail = (message: string): never => {
    throw new InvalidXml(message, parser.line);
  };

  parser.on('error', (error) => fail(error.message.replace(/^\d+:\d+: /, '')));
  parser.on('doctype', () => fail('A document type (DOCTYPE) is not allowed'));
  parser.on('opentag', ({ local, attributes }) => {
    elements += 1;
    if (elements > limits.maxElements || open.length >= limits.maxDepth) fail('The document has too many elements');
    const values = Object.values(attributes).map((attribute): [string, string] => [attribute.local, attribute.value]);
    const element = { name: local, attributes: new Map(values), children: [], text: '', line: parser.line };
    open.at(-1)?.children.push(element);
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
    open.pop();
  });
  parser.write(xml).close();
  return root ?? fail('The document is empty');
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidXml(`The document is not valid ${encoding.toUpperCase()}`, 1);
  }
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
