import { escapeXml } from './parse-xml.ts';

/** A file that a page links to. */
export interface PageLink {
  href: string;
  text: string;
}

const opening = '<div id="topic-content"';
const textStyle = ' style="white-space: pre-wrap"';
const closing = '</div><!-- topic-content -->';
// An opening or closing tag; "a < b" is text.
const markup = /<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/i;

/** The HTML page of a topic: its text or HTML, which `readTopicPage` returns unchanged, and links to its files. */
export function writeTopicPage(name: string, content: string, links: PageLink[]): string {
  const isHtml = markup.test(content);
  const body = isHtml ? `${opening}>${content}${closing}` : `${opening}${textStyle}>${escapeText(content)}${closing}`;
  const list = links
    .map(({ href, text }) => `<li><a href="${escapeXml(href)}">${escapeText(text)}</a></li>\n`)
    .join('');
  return [
    '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n',
    `<title>${escapeText(name)}</title>\n</head>\n<body>\n${body}\n`,
    list === '' ? '' : `<ul>\n${list}</ul>\n`,
    '</body>\n</html>\n',
  ].join('');
}

/** The content of a page that `writeTopicPage` wrote, otherwise the body of the page. */
export function readPageContent(html: string): string {
  const start = html.indexOf(opening);
  const end = html.lastIndexOf(closing);
  if (start < 0 || end < start) return readBody(html);
  const from = html.indexOf('>', start) + 1;
  const content = html.slice(from, end);
  return html.slice(start, from).includes(textStyle) ? unescapeText(content) : content;
}

function readBody(html: string): string {
  // With the end of the tag in the pattern, a page of tags without an end takes quadratic time.
  const start = /<body(?=[\s>])/i.exec(html);
  const from = start ? html.indexOf('>', start.index) : -1;
  const body = html.slice(from + 1);
  const end = body.search(/<\/body\s*>/i);
  return (end < 0 ? body : body.slice(0, end)).trim();
}

/** The first addresses that a page refers to, as they are written in it. */
export function listReferences(html: string, maxReferences: number): string[] {
  const found = new Set<string>();
  for (const [, double, single] of html.matchAll(/\s(?:src|href|data|poster)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)) {
    found.add(unescapeText(double ?? single ?? '').trim());
    if (found.size === maxReferences) break;
  }
  return [...found];
}

// Line breaks stay as they are: unlike in XML, they are not changed when the page is read again.
const escapeText = (text: string) =>
  text.toWellFormed().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const unescapeText = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
