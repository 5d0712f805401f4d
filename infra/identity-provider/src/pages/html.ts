/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | undefined | false;

/** A template tag that escapes values unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: (Part | readonly Part[])[]): Html {
  const rendered = parts.map((part) => [part].flat().map(render).join(''));
  return { html: strings.map((text, index) => text + (rendered[index] ?? '')).join('') };
}

export function trustHtml(text: string): Html {
  return { html: text };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function render(part: Part): string {
  if (!part) return '';
  if (typeof part !== 'string') return part.html;
  return part.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
