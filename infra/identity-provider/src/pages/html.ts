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

export const trustHtml = (text: string): Html => ({ html: text });

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

const style = trustHtml(`
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #d5dae1; --card: #fff; --back: #f2f4f7; --accent: #2557d6; --wrong: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebf0; --soft: #9aa5b4; --line: #39424f; --card: #1d232c; --back: #12161c; --accent: #7ea2ff; --wrong: #ff8a80; }
  button { color: #10141a !important; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--back); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 24rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .25rem; font-size: 1.4rem; }
p { margin: 0 0 1rem; color: var(--soft); }
label { display: block; margin-bottom: 1rem; font-weight: 600; }
input { display: block; width: 100%; margin-top: .25rem; padding: .6rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: 8px; }
button { width: 100%; padding: .65rem; font: inherit; font-weight: 600; color: #fff; background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
button + button { margin-top: .5rem; color: var(--ink) !important; background: transparent; border: 1px solid var(--line); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.wrong { color: var(--wrong); font-weight: 600; }
footer { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .85rem; color: var(--soft); }
code { font-size: .95em; }
`);

/** The provider checks redirects, so the policy does not restrict form targets. */
export const pageHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body><main>
${content}
</main></body>
</html>
`.html;
}
